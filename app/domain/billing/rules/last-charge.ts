import type { Invoice } from "#db/schema/invoices.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";

/** A canceled subscription may be charged once more at its end, for a change of plan. */
export function isLastCharge(
  { createdAt }: Pick<Invoice, "createdAt">,
  { cancelAtPeriodEnd, endedAt }: Pick<Subscription, "cancelAtPeriodEnd" | "endedAt">,
): boolean {
  return cancelAtPeriodEnd && endedAt !== null && createdAt >= endedAt;
}
