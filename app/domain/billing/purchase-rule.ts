import type { SubscriptionStatus } from "./access.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

type Subscription = Pick<SubscriptionFacts, "status" | "currentPeriodEnd" | "cancelAtPeriodEnd">;

/** Of these money is taken, now or when the next period begins. */
export const CHARGED: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "incomplete"];

/** Until each of these has ended no other is sold beside it: every one of them has a next step of its own. */
export const HELD: SubscriptionStatus[] = [...CHARGED, "paused"];

/**
 * Whether a subscription keeps its owner from buying another. One that is to end with its period has ended with it,
 * whether its provider has said so yet or not.
 */
export function isHeld({ status, cancelAtPeriodEnd, currentPeriodEnd }: Subscription, now: Date): boolean {
  const isPaid = status === "trialing" || status === "active";
  if (isPaid && cancelAtPeriodEnd && currentPeriodEnd <= now) return false;
  return HELD.includes(status);
}
