import { formatDate } from "#app/dates.ts";
import {
  endOf,
  PAID_STATUSES,
  type StateFacts,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import type { Subscription } from "#db/schema/billing.ts";
import { cancelRequestedAt } from "./cancellation-state.ts";

export type SubscriptionFacts = Subscription & StateFacts;

export function subscriptionSentence(subscription: SubscriptionFacts | null, now: Date): string {
  if (subscription === null) return "You have no subscription.";
  const sentence = stateSentence(subscription, now);
  const requestedAt = cancelRequestedAt(subscription);
  if (requestedAt === null) return sentence;
  return `${sentence} Your cancellation is recorded as of ${requestedAt}. The payment provider cannot be reached; the cancellation is sent as soon as it can.`;
}

function stateSentence(subscription: SubscriptionFacts, now: Date): string {
  const { status, isPaymentPending } = subscription;
  const periodEnd = formatDate(subscription.currentPeriodEnd);
  switch (subscriptionState(subscription, now)) {
    case "running":
      return runningSentence(subscription);
    case "uncollected":
      return uncollectedSentence(subscription);
    case "cardless": {
      const end = subscription.trialEndWithoutCard === "pause" ? "the subscription is paused" : "it ends";
      return `${lasting(subscription)}. No payment method is stored, so ${end} then and nothing is charged.`;
    }
    case "ending":
      return `${lasting(subscription)} and ends then${lateTransfer(subscription)}.`;
    case "renewing":
      return `Your subscription is being renewed: it was due on ${periodEnd}.`;
    case "unrenewed":
      return `Your subscription was due for renewal on ${periodEnd}; your access returns as soon as the payment arrives.`;
    case "grace":
      if (isPaymentPending) return `${BANK}; your subscription stays open for a few days meanwhile.`;
      if (subscription.isInvoiced)
        return "Your access continues for a few days although the last invoice is not paid, so that you can pay it.";
      return "Your access continues for a few days although the last payment did not go through, so that you can update your payment method.";
    case "overdue":
      if (isPaymentPending) return `${BANK}; your access returns by itself when it arrives.`;
      if (subscription.isInvoiced) return "An invoice is not paid, so your access is paused until it is.";
      return status === "unpaid"
        ? "No payment has gone through for a while, so your access is paused until one does."
        : "The last payment did not go through, so your access is paused until it does.";
    case "unbegun":
      if (isPaymentPending) return `${BANK}; your subscription begins by itself when it arrives.`;
      return "The first payment is not completed, so your subscription has not begun; it expires unless the payment is completed in time.";
    case "paused":
      return "Your subscription is paused, and nothing is charged until you resume it.";
    case "unknown":
    case "unknownEnded":
      return unknownSentence(subscription);
    case "expired":
      return "The first payment was not completed in time, so you have no subscription.";
    case "ended":
      return endedSentence(subscription, now);
  }
}

/** No provider says when a bank transfer arrives. */
const BANK = "Your bank is sending the money, which can take some days and seldom takes more than two weeks";

function runningSentence(subscription: SubscriptionFacts): string {
  const late = lateTransfer(subscription);
  // Whether it renews depends on whether the provider receives the cancellation.
  if (cancelRequestedAt(subscription) !== null) return `${lasting(subscription)}${late}.`;
  const { status, cancelAt } = subscription;
  const goesOn = status === "trialing" ? "; the subscription begins then" : ` and renews then${late}`;
  // An end after this period: until then it renews.
  const end = cancelAt === null ? "" : `; it ends on ${formatDate(cancelAt)}`;
  return `${lasting(subscription)}${goesOn}${end}.`;
}

/** Whatever the provider does with the invoices, access goes on. Drafts can be collected later. */
function uncollectedSentence(subscription: SubscriptionFacts): string {
  const { status, collectionPause, collectionResumesAt } = subscription;
  const isRequested = cancelRequestedAt(subscription) !== null;
  const begins = status === "trialing" && !isRequested ? "; the subscription begins then" : "";
  const lasts = status === "trialing" || isRequested ? lasting(subscription) : "Your subscription is active";
  const until = collectionResumesAt && formatDate(collectionResumesAt);
  const paused = until ? `payments are paused until ${until}` : "payments are paused";
  const kept =
    collectionPause === "keep_as_draft"
      ? " Invoices for this time are kept and may have to be paid later."
      : "";
  return `${lasts}${begins}. Its ${paused}, so nothing is charged ${until ? "before that day" : "for now"}.${kept}`;
}

function lasting(subscription: SubscriptionFacts): string {
  const { status } = subscription;
  const until = formatDate(endOf(subscription));
  return status === "trialing"
    ? `Your trial lasts until ${until}`
    : `Your subscription is active until ${until}`;
}

function lateTransfer({ status, isPaymentPending }: SubscriptionFacts): string {
  return isPaymentPending && status === "active"
    ? "; your bank is still sending the money for this period"
    : "";
}

/** Whether it is still charged is unknown here, so the sentence does not say. */
function unknownSentence({ status, isCurrent, currentPeriodEnd }: SubscriptionFacts): string {
  const isLive = PAID_STATUSES.includes(status);
  const since = "it was bought through a payment account that this site no longer uses";
  if (!isLive || !isCurrent) return `Your subscription does not go on here: ${since}.`;
  const until = `until ${formatDate(currentPeriodEnd)} and does not go on here then: ${since}.`;
  return status === "trialing" ? `Your trial lasts ${until}` : `Your subscription is paid ${until}`;
}

/** One that ended early without `endedAt` may have a period that extends past its end. */
function endedSentence({ endedAt, currentPeriodEnd, hasBegun }: SubscriptionFacts, now: Date): string {
  if (!hasBegun) return "Your subscription was closed before its first payment, so it never began.";
  const end = endedAt ?? currentPeriodEnd;
  return end > now ? "Your subscription has ended." : `Your subscription ended on ${formatDate(end)}.`;
}
