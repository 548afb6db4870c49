import type { CurrentSubscription } from "./current-subscription.server.ts";
import { cancelAskedAt } from "./leaving.ts";
import { priceWords } from "./money-words.ts";
import { type NextStep, nextStep } from "./next-step.ts";
import { isHeld } from "./purchase-rule.ts";

/** What somebody has who need not, and cannot, buy another. */
export interface CurrentPlan {
  name: string;
  /** "$14.99 a month". */
  price: string;
  /** How things stand, and what can be done about it. */
  sentence: string;
  next: NextStep;
  standing: "open" | "unrenewed" | "overdue" | "unfinished" | "onItsWay" | "paused";
  /** Not once it has been cancelled. */
  canCancel: boolean;
  /** Whether whoever takes the payments has a page where plan and card are changed. */
  hasPortal: boolean;
}

/** Null for who may buy one. */
export function currentPlan(
  subscription: CurrentSubscription | null,
  { now, hasPortal }: { now: Date; hasPortal: boolean },
): CurrentPlan | null {
  if (subscription === null || !isHeld(subscription, now)) return null;
  const { price } = subscription;
  const { sentence, next } = nextStep(subscription, now);
  return {
    name: price.product.name,
    price: priceWords(price),
    sentence,
    next,
    standing: standingOf(subscription),
    canCancel: !subscription.cancelAtPeriodEnd && cancelAskedAt(subscription) === null,
    hasPortal,
  };
}

function standingOf({ status, isCurrent, isPaymentPending }: CurrentSubscription): CurrentPlan["standing"] {
  // An active one stays open for a while in which a bank sends the money of its renewal.
  if (isPaymentPending && !(status === "active" && isCurrent)) return "onItsWay";
  if (status === "past_due" || status === "unpaid") return "overdue";
  if (status === "incomplete") return "unfinished";
  if (status === "paused") return "paused";
  return isCurrent ? "open" : "unrenewed";
}
