import { ENDED_STATUSES, endOf } from "#app/domain/access/subscription-state.ts";
import type { Invoice } from "#db/schema/invoices.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { isLastCharge } from "./last-charge.ts";

type Bill = Pick<Invoice, "status" | "createdAt">;
type Ended = Pick<Subscription, "status" | "endedAt" | "isInvoiced" | "hasBegun">;

/** Paying it would give no access. An invoice from after the end, or one that the host sent, is the host's own claim. */
export function isLapsed({ status, createdAt }: Bill, subscription: Ended): boolean {
  const { endedAt, isInvoiced, hasBegun } = subscription;
  if (status !== "open" || isInvoiced || !ENDED_STATUSES.includes(subscription.status)) return false;
  return !hasBegun || (endedAt !== null && createdAt < endedAt);
}

/** `wasRefused`: see WAS_REFUSED. Otherwise, a subscription that ended on its planned day was used until then. */
export function isPaidTooLate(
  { status, amountPaid, createdAt, paidAt }: Invoice,
  subscription: Subscription,
  wasRefused: boolean,
): boolean {
  const { endedAt, cancelAtPeriodEnd } = subscription;
  if (status !== "paid" || amountPaid === 0 || paidAt === null || endedAt === null) return false;
  // The provider's times are whole seconds, so an invoice may be canceled in the second of its creation.
  if (createdAt > endedAt || isLastCharge({ createdAt }, subscription) || paidAt < endedAt) return false;
  return wasRefused || !cancelAtPeriodEnd || endedAt < endOf(subscription);
}
