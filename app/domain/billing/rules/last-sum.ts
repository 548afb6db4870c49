import type { Invoice, Subscription } from "#db/schema/billing.ts";

/** A cancelled subscription may be billed once more at its end, for a change of plan, and this is due. */
export function isLastSum(
  { createdAt }: Pick<Invoice, "createdAt">,
  { cancelAtPeriodEnd, endedAt }: Pick<Subscription, "cancelAtPeriodEnd" | "endedAt">,
): boolean {
  return cancelAtPeriodEnd && endedAt !== null && createdAt >= endedAt;
}
