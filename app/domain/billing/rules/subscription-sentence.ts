import { formatDate } from "#app/dates.ts";
import { ENDED_STATUSES, PAID_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Subscription } from "#db/schema/billing.ts";
import { cancelRequestedAt } from "./cancellation-state.ts";

/** `isCurrent`: see CurrentSubscription. */
export type SubscriptionFacts = Subscription & { isCurrent: boolean };

export function subscriptionSentence(subscription: SubscriptionFacts | null, now: Date): string {
  if (subscription === null) return "You have no subscription.";
  const sentence = stateSentence(subscription, now);
  const requestedAt = cancelRequestedAt(subscription);
  if (requestedAt === null) return sentence;
  return `${sentence} Your cancellation is recorded as of ${requestedAt}. The payment provider cannot be reached; the cancellation is sent as soon as it can.`;
}

function stateSentence(subscription: SubscriptionFacts, now: Date): string {
  const { status, cancelAtPeriodEnd, isCurrent, isPaymentPending } = subscription;
  const periodEnd = formatDate(subscription.currentPeriodEnd);
  if (subscription.unknownSince && !ENDED_STATUSES.includes(status)) return unknownSentence(subscription);
  const isLive = PAID_STATUSES.includes(status);
  if (isLive && subscription.currentPeriodEnd <= now) {
    if (cancelAtPeriodEnd) return endedSentence(subscription, now);
    if (isCurrent) return `Your subscription is being renewed: it was due on ${periodEnd}.`;
    return `Your subscription was due for renewal on ${periodEnd}; your access returns as soon as the payment arrives.`;
  }
  if (isPaymentPending && !isLive) return pendingSentence(subscription);
  // Whether it renews depends on whether the provider receives the cancellation.
  const isCancelRequested = cancelRequestedAt(subscription) !== null;
  const late = isPaymentPending ? "; your bank is still sending the money for this period" : "";
  switch (status) {
    case "trialing":
      if (isCancelRequested) return `Your trial lasts until ${periodEnd}.`;
      return cancelAtPeriodEnd
        ? `Your trial lasts until ${periodEnd} and ends then.`
        : `Your trial lasts until ${periodEnd}; the subscription begins then.`;
    case "active":
      if (isCancelRequested) return `Your subscription is active until ${periodEnd}${late}.`;
      return `Your subscription is active until ${periodEnd} and ${cancelAtPeriodEnd ? "ends" : "renews"} then${late}.`;
    case "past_due":
      if (isCurrent)
        return "Your access continues for a few days although the last payment did not go through, so that you can update your payment method.";
      return "The last payment did not go through, so your access is paused until it does.";
    case "unpaid":
      return "No payment has gone through for a while, so your access is paused until one does.";
    case "paused":
      return "Your subscription is paused, and nothing is charged until you resume it.";
    case "incomplete":
      return "The first payment is not completed, so your subscription has not begun; it expires unless the payment is completed in time.";
    case "incomplete_expired":
      return "The first payment was not completed in time, so you have no subscription.";
    case "canceled":
      return endedSentence(subscription, now);
  }
}

/** Whether it is still charged is unknown here, so the sentence does not say. */
function unknownSentence({ status, isCurrent, currentPeriodEnd }: SubscriptionFacts): string {
  const isLive = PAID_STATUSES.includes(status);
  const since = "it was bought through a payment account that this site no longer uses";
  if (!isLive || !isCurrent) return `Your subscription does not go on here: ${since}.`;
  const until = `until ${formatDate(currentPeriodEnd)} and does not go on here then: ${since}.`;
  return status === "trialing" ? `Your trial lasts ${until}` : `Your subscription is paid ${until}`;
}

/** No provider says when a bank transfer arrives. */
function pendingSentence({ status, isCurrent }: SubscriptionFacts): string {
  const bank =
    "Your bank is sending the money, which can take some days and seldom takes more than two weeks";
  if (status === "incomplete") return `${bank}; your subscription begins by itself when it is here.`;
  return isCurrent
    ? `${bank}; your subscription stays open for a few days meanwhile.`
    : `${bank}; your subscription opens again by itself when it is here.`;
}

/** One that ended early without `endedAt` may have a period that extends past its end. */
function endedSentence({ endedAt, currentPeriodEnd, hasBegun }: SubscriptionFacts, now: Date): string {
  if (!hasBegun) return "Your subscription was given up before its first payment, so it never began.";
  const end = endedAt ?? currentPeriodEnd;
  return end > now ? "Your subscription has ended." : `Your subscription ended on ${formatDate(end)}.`;
}
