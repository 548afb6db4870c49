import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.server.ts";
import { checkouts } from "#db/schema/billing.ts";
import type { OfferedPrice, SoldLine } from "./providers/provider.ts";

type Agreed = typeof checkouts.$inferSelect;

/** What somebody has agreed to pay; null when it was not bought here. */
export async function findAgreed(tx: Transaction, checkoutId: string | null): Promise<Agreed | null> {
  if (checkoutId === null || !z.uuid().safeParse(checkoutId).success) return null;
  const [row] = await tx.select().from(checkouts).where(eq(checkouts.id, checkoutId));
  return row ?? null;
}

/**
 * Whether the very thing was sold that was agreed to: this price, once, for this sum. Discounts and taxes may change what
 * is paid in the end, and are no part of it.
 */
export function isAsAgreed(agreed: Agreed, sold: SoldLine[]): boolean {
  return (
    sold.length > 0 &&
    sold.every(
      ({ priceId, quantity, currency, unitAmount }) =>
        priceId === agreed.priceId &&
        quantity === 1 &&
        currency === agreed.currency &&
        (unitAmount === null || unitAmount === agreed.unitAmount),
    )
  );
}

/** Whether a price is the one that was agreed to, as often as was said. */
export function isPriceAsAgreed(agreed: Agreed, { id, interval, intervalCount, ...price }: OfferedPrice) {
  const isAsOften = interval === agreed.interval && intervalCount === agreed.intervalCount;
  return isAsOften && isAsAgreed(agreed, [{ ...price, priceId: id, quantity: 1 }]);
}
