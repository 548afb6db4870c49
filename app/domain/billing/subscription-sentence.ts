import type { SubscriptionStatus } from "./access.ts";
import { dayWords } from "./day-words.ts";
import { cancelAskedAt } from "./leaving.ts";

/** What a sentence about a subscription and the step after it are made of. */
export interface SubscriptionFacts {
  status: SubscriptionStatus;
  currentPeriodEnd: Date;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  /** Since when whoever takes the payments does not know it; nothing or null while it is known. */
  unknownSince?: Date | null;
  /** What its owner has pressed last; nothing of one that nobody has pressed anything for. */
  wish?: "cancel" | "keep" | null;
  wishedAt?: Date | null;
  /** Whoever takes the payments has not confirmed it. */
  isWishOpen?: boolean;
  isCurrent: boolean;
  /** What is owed is on its way from a bank. */
  isPaymentPending: boolean;
  /** False of one that is over as well when it ended before its first payment. */
  hasBegun: boolean;
}

/** How things stand between a member and their subscription, in one plain sentence; what is under way in another. */
export function subscriptionSentence(subscription: SubscriptionFacts | null, now = new Date()): string {
  if (subscription === null) return "You have no subscription.";
  const sentence = standingSentence(subscription, now);
  const askedAt = cancelAskedAt(subscription);
  if (askedAt === null) return sentence;
  return `${sentence} Your cancellation is recorded as of ${askedAt}: the payment provider does not answer, and is told as soon as it does.`;
}

function standingSentence(subscription: SubscriptionFacts, now: Date): string {
  const { status, cancelAtPeriodEnd, isCurrent, isPaymentPending } = subscription;
  const periodEnd = dayWords(subscription.currentPeriodEnd);
  if (subscription.unknownSince && !isOver(status)) return unknownSentence(subscription);
  const isLive = status === "trialing" || status === "active";
  if (isLive && subscription.currentPeriodEnd <= now) {
    if (cancelAtPeriodEnd) return endedSentence(subscription, now);
    if (isCurrent) return `Your subscription is being renewed: it was due on ${periodEnd}.`;
    return `Your subscription was to be renewed on ${periodEnd}, and opens again as soon as a payment for it is known.`;
  }
  if (isPaymentPending && !isLive) return pendingSentence(subscription);
  // Whether it goes on then depends on whether the provider has heard of the cancellation.
  const isAsked = cancelAskedAt(subscription) !== null;
  const late = isPaymentPending ? "; your bank is still sending the money for this period" : "";
  switch (status) {
    case "trialing":
      if (isAsked) return `Your trial lasts until ${periodEnd}.`;
      return cancelAtPeriodEnd
        ? `Your trial lasts until ${periodEnd} and ends then.`
        : `Your trial lasts until ${periodEnd}; the subscription begins then.`;
    case "active":
      if (isAsked) return `Your subscription is active until ${periodEnd}${late}.`;
      return `Your subscription is active until ${periodEnd} and ${cancelAtPeriodEnd ? "ends" : "renews"} then${late}.`;
    case "past_due":
      if (isCurrent)
        return "Your subscription stays open for a few days although the last payment did not go through, so that you can mend it.";
      return "The last payment did not go through, so your subscription is closed until it has.";
    case "unpaid":
      return "No payment has gone through for a while, so your subscription is closed until one does.";
    case "paused":
      return "Your subscription is paused, and nothing is charged until you resume it.";
    case "incomplete":
      return "The first payment is not completed, so your subscription has not begun; it is given up if that is not done in time.";
    case "incomplete_expired":
      return "The first payment was not completed in time, so you have no subscription.";
    case "canceled":
      return endedSentence(subscription, now);
  }
}

/** Whether money is still taken for it is not known here, so nothing is said of that. */
function unknownSentence({ status, isCurrent, currentPeriodEnd }: SubscriptionFacts): string {
  const isLive = status === "trialing" || status === "active";
  const since = "it was bought through a payment account that this site no longer uses";
  if (!isLive || !isCurrent) return `Your subscription does not go on here: ${since}.`;
  const until = `until ${dayWords(currentPeriodEnd)} and does not go on here then: ${since}.`;
  return status === "trialing" ? `Your trial lasts ${until}` : `Your subscription is paid ${until}`;
}

function isOver(status: SubscriptionStatus): boolean {
  return status === "canceled" || status === "incomplete_expired";
}

/** No provider says on which day a bank's money arrives. */
function pendingSentence({ status, isCurrent }: SubscriptionFacts): string {
  const bank =
    "Your bank is sending the money, which can take some days and seldom takes more than two weeks";
  if (status === "incomplete") return `${bank}; your subscription begins by itself when it is here.`;
  return isCurrent
    ? `${bank}; your subscription stays open for a few days meanwhile.`
    : `${bank}; your subscription opens again by itself when it is here.`;
}

/** One that was ended early and says no more has a period that reaches past its end. */
function endedSentence({ endedAt, currentPeriodEnd, hasBegun }: SubscriptionFacts, now: Date): string {
  if (!hasBegun) return "Your subscription was given up before its first payment, so it never began.";
  const end = endedAt ?? currentPeriodEnd;
  return end > now ? "Your subscription has ended." : `Your subscription ended on ${dayWords(end)}.`;
}
