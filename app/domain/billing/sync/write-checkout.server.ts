import { isDeepStrictEqual } from "node:util";
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.server.ts";
import { type Checkout, checkouts, type Price } from "#db/schema/billing.ts";
import type { CheckoutSnapshot, SoldLine } from "../providers/contract/provider.ts";
import { termsOf } from "../rules/purchase-terms.ts";
import type { Outcome } from "../rules/sync-outcome.ts";

/** A paid purchase stays paid. One that differs from its purchase terms is not written: "mismatch". */
export async function completeCheckout(tx: Transaction, snapshot: CheckoutSnapshot): Promise<Outcome> {
  const { status, subscriptionId } = snapshot;
  const terms = await findPurchaseTerms(tx, snapshot.checkoutId);
  if (status === "open" || terms === null) return "same";
  if (status === "completed" && !matchesTerms(terms, snapshot.sold)) return "mismatch";
  const isFor = or(isNull(checkouts.providerCheckoutId), eq(checkouts.providerCheckoutId, snapshot.id));
  const isNews = status === "completed" ? ne(checkouts.status, "completed") : eq(checkouts.status, "open");
  const endedAt = sql`coalesce(${checkouts.endedAt}, now())`;
  const written = await tx
    .update(checkouts)
    .set({ status, subscriptionId, providerCheckoutId: snapshot.id, url: null, endedAt })
    .where(and(eq(checkouts.id, terms.id), isFor, isNews));
  return written.count > 0 ? "changed" : "same";
}

export async function findPurchaseTerms(
  tx: Transaction,
  checkoutId: string | null,
): Promise<Checkout | null> {
  if (checkoutId === null || !z.uuid().safeParse(checkoutId).success) return null;
  const [row] = await tx.select().from(checkouts).where(eq(checkouts.id, checkoutId));
  return row ?? null;
}

/** Whether exactly this price was sold, once, for this amount. Discounts and taxes are not compared. */
export function matchesTerms(terms: Checkout, sold: SoldLine[]): boolean {
  return sold.length > 0 && sold.every((line) => matchesLine(terms, line));
}

function matchesLine(terms: Checkout, line: SoldLine): boolean {
  if ("terms" in line) return isDeepStrictEqual(line.terms, termsOf(terms));
  const { priceId, quantity, currency, unitAmount } = line;
  const isAmount = unitAmount === null || unitAmount === terms.unitAmount;
  return priceId === terms.priceId && quantity === 1 && currency === terms.currency && isAmount;
}

export function priceMatchesTerms(terms: Checkout, { id, interval, intervalCount, ...price }: Price) {
  const isAsOften = interval === terms.interval && intervalCount === terms.intervalCount;
  return isAsOften && matchesTerms(terms, [{ ...price, priceId: id, quantity: 1 }]);
}
