import { isDeepStrictEqual } from "node:util";
import { and, eq, isNull, ne, or, sql } from "drizzle-orm";
import { z } from "zod";
import type { Transaction } from "#db/client.server.ts";
import { type Checkout, checkouts } from "#db/schema/checkouts.ts";
import type { Price } from "#db/schema/prices.ts";
import { mailPartlyPaid } from "../mails/purchase-mails.server.ts";
import type { CheckoutSnapshot, SoldLine } from "../providers/contract/provider.ts";
import { orderedTerms } from "../rules/purchase-terms.ts";
import type { Outcome } from "../rules/sync-outcome.ts";

/** A paid purchase stays paid. Not completed: one that differs from its purchase terms ("mismatch"), or that is paid in part only. */
export async function completeCheckout(tx: Transaction, snapshot: CheckoutSnapshot): Promise<Outcome> {
  const { status, subscriptionId } = snapshot;
  const terms = await findPurchaseTerms(tx, snapshot.checkoutId);
  if (terms === null) return "same";
  if (status === "completed" && !matchesTerms(terms, snapshot.sold)) return "mismatch";
  const isSeen = await writeSeen(tx, terms, snapshot);
  if (status === "open") return isSeen ? "changed" : "same";
  const isFor = or(isNull(checkouts.providerCheckoutId), eq(checkouts.providerCheckoutId, snapshot.id));
  const isNews = status === "completed" ? ne(checkouts.status, "completed") : eq(checkouts.status, "open");
  const endedAt = sql`coalesce(${checkouts.endedAt}, now())`;
  const written = await tx
    .update(checkouts)
    .set({ status, subscriptionId, providerCheckoutId: snapshot.id, url: null, endedAt })
    .where(and(eq(checkouts.id, terms.id), isFor, isNews));
  if (snapshot.partPaid !== null && terms.status !== "completed") {
    await mailPartlyPaid(tx, terms, snapshot.partPaid);
    return "partlyPaid";
  }
  return written.count > 0 || isSeen ? "changed" : "same";
}

/** What has come before the purchase is completed. */
async function writeSeen(
  tx: Transaction,
  before: Checkout,
  { status, isPaymentPending, partPaid }: CheckoutSnapshot,
): Promise<boolean> {
  const isOver = status === "completed";
  const seen = { isPaymentPending: !isOver && isPaymentPending, partPaid: isOver ? null : partPaid };
  if (seen.isPaymentPending === before.isPaymentPending && seen.partPaid === before.partPaid) return false;
  const isNews = and(eq(checkouts.id, before.id), ne(checkouts.status, "completed"));
  return (await tx.update(checkouts).set(seen).where(isNews)).count > 0;
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
  if ("terms" in line) return isDeepStrictEqual(line.terms, orderedTerms(terms));
  const { priceId, quantity, currency, unitAmount } = line;
  const isAmount = unitAmount === null || unitAmount === terms.unitAmount;
  return priceId === terms.priceId && quantity === 1 && currency === terms.currency && isAmount;
}

export function priceMatchesTerms(terms: Checkout, { id, interval, intervalCount, ...price }: Price) {
  const isAsOften = interval === terms.interval && intervalCount === terms.intervalCount;
  return isAsOften && matchesTerms(terms, [{ ...price, priceId: id, quantity: 1 }]);
}
