import { eq } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.server.ts";
import { type Checkout, checkouts, type Price } from "#db/schema/billing.ts";
import type { SoldLine } from "../providers/contract/provider.ts";

export async function findPurchaseTerms(
  tx: Transaction,
  checkoutId: string | null,
): Promise<Checkout | null> {
  if (checkoutId === null || !z.uuid().safeParse(checkoutId).success) return null;
  const [row] = await tx.select().from(checkouts).where(eq(checkouts.id, checkoutId));
  return row ?? null;
}

/** Whether exactly this price was sold, once, for this sum. Discounts and taxes are not compared. */
export function matchesTerms(terms: Checkout, sold: SoldLine[]): boolean {
  return (
    sold.length > 0 &&
    sold.every(
      ({ priceId, quantity, currency, unitAmount }) =>
        priceId === terms.priceId &&
        quantity === 1 &&
        currency === terms.currency &&
        (unitAmount === null || unitAmount === terms.unitAmount),
    )
  );
}

export function priceMatchesTerms(terms: Checkout, { id, interval, intervalCount, ...price }: Price) {
  const isAsOften = interval === terms.interval && intervalCount === terms.intervalCount;
  return isAsOften && matchesTerms(terms, [{ ...price, priceId: id, quantity: 1 }]);
}
