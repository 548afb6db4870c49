import { and, eq, lt, lte, or, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailAboutInvoice, mailAboutRefund } from "../mails/payment-mails.server.ts";
import type { ChargeSnapshot, InvoiceSnapshot } from "../providers/contract/provider.ts";
import type { Outcome } from "../rules/sync-outcome.ts";
import { lockOwner } from "../subscriptions/customers.server.ts";
import { differenceOf, type ProviderSnapshot } from "./snapshot.server.ts";
import { findPurchaseTerms, matchesTerms } from "./write-checkout.server.ts";

/** Skips an answer older than the stored one ("late") and an invoice that differs from the purchase terms ("mismatch"). */
export async function writeInvoice(
  tx: Transaction,
  { customerId, first, ...row }: InvoiceSnapshot,
  { provider, fetchedAt }: Pick<ProviderSnapshot, "provider" | "fetchedAt">,
): Promise<Outcome> {
  const owner = await lockOwner(tx, { provider, customerId });
  const [before] = await tx.select().from(invoices).where(eq(invoices.id, row.id));
  const userId = owner ?? before?.userId;
  if (userId === undefined) return "otherSite";
  const terms = first === null ? null : await findPurchaseTerms(tx, first.checkoutId);
  if (first !== null && terms !== null && !matchesTerms(terms, first.sold)) return "mismatch";
  const values = { ...row, userId, fetchedAt };
  const [after] = await tx
    .insert(invoices)
    .values(values)
    .onConflictDoUpdate({
      target: invoices.id,
      set: values,
      setWhere: lte(invoices.fetchedAt, fetchedAt),
    })
    .returning();
  if (!after) return "late";
  await mailAboutInvoice(tx, after);
  return differenceOf(before, after);
}

/** Refunds only grow, and a dispute that was won stays counted, so answers may come in either order. */
export async function writeRefund(
  tx: Transaction,
  { invoiceId, amount, amountRefunded, isDisputed }: ChargeSnapshot,
): Promise<Outcome> {
  if (invoiceId === null) return "same";
  const disputed = isDisputed ? amount : 0;
  const isMore = or(lt(invoices.amountRefunded, amountRefunded), lt(invoices.amountDisputed, disputed));
  const [changed] = await tx
    .update(invoices)
    .set({
      amountRefunded: sql`greatest(${invoices.amountRefunded}, ${amountRefunded})`,
      amountDisputed: sql`greatest(${invoices.amountDisputed}, ${disputed})`,
    })
    .where(and(eq(invoices.id, invoiceId), isMore))
    .returning();
  if (changed === undefined) return "same";
  await mailAboutRefund(tx, changed);
  return "changed";
}
