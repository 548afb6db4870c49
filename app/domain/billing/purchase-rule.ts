import type { SubscriptionStatus } from "./access.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

type Subscription = Pick<
  SubscriptionFacts,
  "status" | "currentPeriodEnd" | "cancelAtPeriodEnd" | "unknownSince"
>;

/** Of these money is taken, now or when the next period begins. */
export const CHARGED: SubscriptionStatus[] = ["trialing", "active", "past_due", "unpaid", "incomplete"];

/** Until each of these has ended no other is sold beside it: every one of them has a next step of its own. */
export const HELD: SubscriptionStatus[] = [...CHARGED, "paused"];

/**
 * Whether a subscription keeps its owner from buying another. One that is to end with its period has ended with it,
 * whether its provider has said so yet or not. One that the provider does not know has no next step here at all.
 */
export function isHeld(
  { status, cancelAtPeriodEnd, currentPeriodEnd, unknownSince }: Subscription,
  now: Date,
): boolean {
  if (unknownSince) return false;
  const isPaid = status === "trialing" || status === "active";
  if (isPaid && cancelAtPeriodEnd && currentPeriodEnd <= now) return false;
  return HELD.includes(status);
}
