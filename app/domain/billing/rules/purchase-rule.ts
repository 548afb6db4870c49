import { BLOCKING_STATUSES, PAID_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Subscription } from "#db/schema/billing.ts";

/** A cancelled one blocks until its period ends, confirmed or not; one unknown to the provider never does. */
export function blocksPurchase(
  { status, cancelAtPeriodEnd, currentPeriodEnd, unknownSince }: Subscription,
  now: Date,
): boolean {
  if (unknownSince) return false;
  if (PAID_STATUSES.includes(status) && cancelAtPeriodEnd && currentPeriodEnd <= now) return false;
  return BLOCKING_STATUSES.includes(status);
}
