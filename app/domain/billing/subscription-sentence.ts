import type { SubscriptionStatus } from "./access.ts";
import { dayWords } from "./day-words.ts";

/** What a sentence about a subscription and the step after it are made of. */
export interface SubscriptionFacts {
  status: SubscriptionStatus;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  isCurrent: boolean;
}

/** How things stand between a member and their subscription, in one plain sentence. */
export function subscriptionSentence(subscription: SubscriptionFacts | null, now = new Date()): string {
  if (subscription === null) return "You have no subscription.";
  const { status, cancelAtPeriodEnd, isCurrent } = subscription;
  const periodEnd = dayWords(subscription.currentPeriodEnd);
  const isLive = status === "trialing" || status === "active";
  if (isLive && subscription.currentPeriodEnd <= now) {
    if (cancelAtPeriodEnd) return endedSentence(subscription, now);
    if (isCurrent) return `Your subscription is being renewed: it was due on ${periodEnd}.`;
    return `Your subscription was to be renewed on ${periodEnd}, and no payment for it is known. It opens again as soon as one is.`;
  }
  switch (status) {
    case "trialing":
      return cancelAtPeriodEnd
        ? `Your trial lasts until ${periodEnd} and ends then.`
        : `Your trial lasts until ${periodEnd}; the subscription begins then.`;
    case "active":
      return cancelAtPeriodEnd
        ? `Your subscription is active until ${periodEnd} and ends then.`
        : `Your subscription is active until ${periodEnd} and renews then.`;
    case "past_due":
      if (isCurrent)
        return "Your subscription stays open for a few days although the last payment did not go through, so that you can mend it.";
      return "The last payment did not go through, so your subscription is closed until it has.";
    case "unpaid":
      return "No payment has gone through for a while, so your subscription is closed until one does.";
    case "paused":
      return "Your subscription is paused, and nothing is charged until you resume it.";
    case "incomplete":
      return "The first payment is not completed, so your subscription has not begun; it is given up if that is not done in time. A transfer that you ordered at your bank takes some days.";
    case "incomplete_expired":
      return "The first payment was not completed in time, so you have no subscription.";
    case "canceled":
      return endedSentence(subscription, now);
  }
}

/** One that was ended early and says no more has a period that reaches past its end. */
function endedSentence({ endedAt, currentPeriodEnd }: SubscriptionFacts, now: Date): string {
  const end = endedAt ?? currentPeriodEnd;
  return end > now ? "Your subscription has ended." : `Your subscription ended on ${dayWords(end)}.`;
}
