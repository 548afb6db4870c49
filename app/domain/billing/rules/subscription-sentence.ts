import { formatDate, formatMinute } from "#app/dates.ts";
import {
  endOf,
  isTrial,
  PAID_STATUSES,
  type StateFacts,
  subscriptionState,
  type TrialFacts,
} from "#app/domain/access/subscription-state.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import { soldAgainFrom } from "./blocks-purchase.ts";
import { cancelRequestedAt, canKeep, isMoved } from "./cancellation-state.ts";

export type SubscriptionFacts = Subscription & StateFacts & TrialFacts;

export function subscriptionSentence(subscription: SubscriptionFacts | null, now: Date): string {
  if (subscription === null) return "You have no subscription.";
  const sentence = stateSentence(subscription, now);
  const requestedAt = cancelRequestedAt(subscription);
  if (requestedAt === null) return sentence;
  return `${sentence} Your cancellation is recorded as of ${requestedAt}. We cannot reach the payment provider right now, and will send it the cancellation as soon as we can.`;
}

function stateSentence(subscription: SubscriptionFacts, now: Date): string {
  const { status, isPaymentPending } = subscription;
  const periodEnd = formatDate(subscription.currentPeriodEnd);
  const hasPortal = capabilitiesOf(subscription.provider).portal !== null;
  switch (subscriptionState(subscription, now)) {
    case "running":
      return runningSentence(subscription);
    case "uncollected":
      return uncollectedSentence(subscription);
    case "cardless": {
      const end = subscription.trialEndWithoutCard === "pause" ? "your subscription is paused" : "it ends";
      return `${lasting(subscription)}. There is no payment method on file, so ${end} then and you will not be charged.`;
    }
    case "ending":
      return `${lasting(subscription)} and then ends${isMoved(subscription) ? `, ${MOVED}` : "."}${canKeep(subscription) ? "" : ` ${soldAgainText(subscription, now)}`}${lateTransfer(subscription)}`;
    case "prepaid":
      return `Your subscription is paid until ${periodEnd}. It does not renew, so there is nothing to cancel.`;
    case "renewing":
      return `Your subscription is being renewed. The renewal was due on ${periodEnd}.`;
    case "unrenewed":
      return `Your subscription was due for renewal on ${periodEnd}. Your access returns as soon as the payment arrives.`;
    case "grace":
      if (isPaymentPending) return `${BANK}. You keep your access for a few days in the meantime.`;
      if (subscription.isInvoiced)
        return "An invoice is unpaid. You keep your access for a few days, so that you can pay it.";
      if (!hasPortal)
        return `The last payment did not go through. You keep your access for a few days. ${ANOTHER_CARD}`;
      return "The last payment did not go through. You keep your access for a few days, so that you can update your payment method.";
    case "overdue":
      if (isPaymentPending) return `${BANK}. Your access returns automatically when the money arrives.`;
      if (subscription.isInvoiced) return "An invoice is unpaid, so your access is paused until you pay it.";
      if (!hasPortal)
        return `The last payment did not go through, so your access is paused until it does. ${ANOTHER_CARD}`;
      return status === "unpaid"
        ? "No payment has gone through for a while, so your access is paused until one does."
        : "The last payment did not go through, so your access is paused until it does.";
    case "unbegun":
      if (isPaymentPending) return `${BANK}. Your subscription starts automatically when the money arrives.`;
      return "The first payment is not complete, so your subscription has not started. It expires unless you complete the payment in time.";
    case "paused":
      return "Your subscription is paused, and you will not be charged until you resume it.";
    case "unknown":
    case "unknownEnded":
      return unknownSentence(subscription);
    case "expired":
      return "The first payment was not completed in time, so you have no subscription.";
    case "ended":
      return endedSentence(subscription, now);
  }
}

/** Where the provider has no page on which a card can be changed. */
export const ANOTHER_CARD = "To pay with another card, cancel this subscription and subscribe again.";
export const KEPT_INVOICES = "Invoices for this time are kept, and you may have to pay them later.";
const BANK = "Your bank is sending the money, which can take a few days and rarely takes more than two weeks";

function runningSentence(subscription: SubscriptionFacts): string {
  const late = lateTransfer(subscription);
  // Whether it renews depends on whether the provider receives the cancellation.
  if (cancelRequestedAt(subscription) !== null) return `${lasting(subscription)}.${late}`;
  const { cancelAt } = subscription;
  const goesOn = isTrial(subscription) ? ", and your subscription starts then" : " and then renews";
  const end = cancelAt === null ? "" : ` It ends on ${formatDate(cancelAt)}.`;
  return `${lasting(subscription)}${goesOn}.${late}${end}`;
}

/** Whatever the provider does with the invoices, access goes on. Drafts can be collected later. */
function uncollectedSentence(subscription: SubscriptionFacts): string {
  const { status, collectionPause, collectionResumesAt } = subscription;
  const isRequested = cancelRequestedAt(subscription) !== null;
  const begins = isTrial(subscription) && !isRequested ? ", and your subscription starts then" : "";
  const lasts = status === "trialing" || isRequested ? lasting(subscription) : "Your subscription is active";
  const until = collectionResumesAt && formatDate(collectionResumesAt);
  const paused = until ? `Payments are paused until ${until}` : "Payments are paused";
  const kept = collectionPause === "keep_as_draft" ? ` ${KEPT_INVOICES}` : "";
  return `${lasts}${begins}. ${paused}, so you will not be charged ${until ? "before that day" : "for now"}.${kept}`;
}

function lasting(subscription: SubscriptionFacts): string {
  const until = formatDate(endOf(subscription));
  if (isTrial(subscription)) return `Your trial lasts until ${until}`;
  const free = subscription.status === "trialing" ? " and free" : "";
  return `Your subscription is active${free} until ${until}`;
}

/** While it goes on to a final end. */
export function soldAgainText(subscription: Parameters<typeof soldAgainFrom>[0], now: Date): string {
  const from = soldAgainFrom(subscription);
  return `You can subscribe again ${from <= now ? "now" : `from ${formatMinute(from)} on`}.`;
}

/** Before another subscription is bought while this one goes on. */
export function overlapSentence(subscription: TrialFacts & Pick<Subscription, "unknownSince">): string {
  if (subscription.unknownSince !== null)
    return "A new subscription always begins right away, so it overlaps with the rest of this one.";
  const days = isTrial(subscription) ? "two days of your trial" : "two days that you have already paid for";
  return `A new subscription always begins right away, so it overlaps with up to ${days}.`;
}

/** Ends a sentence. */
export const MOVED = "because this site is changing its payment provider.";

function lateTransfer({ status, isPaymentPending }: SubscriptionFacts): string {
  return isPaymentPending && status === "active"
    ? " Your bank is still sending the money for this period."
    : "";
}

/** Whether it is still charged is unknown here, so the sentence does not say. */
function unknownSentence(subscription: SubscriptionFacts): string {
  const { status, isCurrent, currentPeriodEnd } = subscription;
  const isPaid = PAID_STATUSES.includes(status);
  const reason = "It was bought through a payment account that this site no longer uses.";
  if (!isPaid || !isCurrent) return `Your subscription does not continue here. ${reason}`;
  const until = `until ${formatDate(currentPeriodEnd)} and does not continue here after that. ${reason}`;
  if (isTrial(subscription)) return `Your trial lasts ${until}`;
  return `Your subscription is ${status === "trialing" ? "free" : "paid"} ${until}`;
}

/** One that ended early without `endedAt` may have a period that extends past its end. */
function endedSentence({ endedAt, currentPeriodEnd, hasBegun }: SubscriptionFacts, now: Date): string {
  if (!hasBegun) return "Your subscription was closed before its first payment, so it never started.";
  const end = endedAt ?? currentPeriodEnd;
  return end > now ? "Your subscription has ended." : `Your subscription ended on ${formatDate(end)}.`;
}
