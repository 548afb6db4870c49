import { isDeepStrictEqual } from "node:util";
import { eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { invoices } from "#db/schema/billing.ts";
import { findAgreed, isAsAgreed } from "./agreed.server.ts";
import type { AskedAt } from "./asked-at.server.ts";
import type { What } from "./change.ts";
import { noticeInvoice } from "./notices.server.ts";
import { lockOwner } from "./owner.server.ts";
import type { ChargeSnapshot, InvoiceSnapshot } from "./providers/provider.ts";

/** Writes what the provider says of an invoice, unless a later answer is there or it bills what nobody has agreed to. */
export async function mirrorInvoice(
  tx: Transaction,
  { customerId, first, ...row }: InvoiceSnapshot,
  askedAt: AskedAt,
): Promise<What> {
  const owner = await lockOwner(tx, customerId);
  const [before] = await tx.select().from(invoices).where(eq(invoices.id, row.id));
  const userId = owner ?? before?.userId;
  if (userId === undefined) return "foreign";
  const agreed = first === null ? null : await findAgreed(tx, first.checkoutId);
  if (first !== null && agreed !== null && !isAsAgreed(agreed, first.sold)) return "mismatch";
  const values = { ...row, userId, readAt: sql`${askedAt}::timestamptz` };
  const [after] = await tx
    .insert(invoices)
    .values(values)
    .onConflictDoUpdate({
      target: invoices.id,
      set: values,
      setWhere: sql`${invoices.readAt} <= ${askedAt}::timestamptz`,
    })
    .returning();
  if (!after) return "late";
  await noticeInvoice(tx, after);
  if (before === undefined) return "new";
  return isDeepStrictEqual({ ...before, readAt: null }, { ...after, readAt: null }) ? "same" : "changed";
}

/** What was paid back only ever grows, so that two answers may come in either order. */
export async function mirrorRefund(
  tx: Transaction,
  { invoiceId, amountRefunded }: ChargeSnapshot,
): Promise<What> {
  if (invoiceId === null) return "same";
  const changed = await tx
    .update(invoices)
    .set({ amountRefunded })
    .where(sql`${invoices.id} = ${invoiceId} AND ${invoices.amountRefunded} < ${amountRefunded}`)
    .returning({ id: invoices.id });
  return changed.length > 0 ? "changed" : "same";
}
