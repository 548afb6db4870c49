import type { CurrentSubscription } from "./current-subscription.server.ts";
import { priceWords } from "./money-words.ts";
import { type NextStep, nextStep } from "./next-step.ts";

/** What somebody has who need not, and cannot, buy another. */
export interface CurrentPlan {
  name: string;
  /** "$14.99 a month". */
  price: string;
  /** How things stand, and what can be done about it. */
  sentence: string;
  next: NextStep;
  isPaymentDue: boolean;
}

const BLOCKING = ["trialing", "active", "past_due", "unpaid"];

/** Null for who may buy one. */
export function currentPlan(subscription: CurrentSubscription | null, now: Date): CurrentPlan | null {
  if (subscription === null || !BLOCKING.includes(subscription.status)) return null;
  const { price, cancelAtPeriodEnd, currentPeriodEnd } = subscription;
  if (cancelAtPeriodEnd && currentPeriodEnd <= now) return null;
  const { sentence, next } = nextStep(subscription, now);
  return { name: price.product.name, price: priceWords(price), sentence, next, isPaymentDue: next.isPosted };
}
