import { and, eq, gte, inArray, lt, sql } from "drizzle-orm";
import type { Executor } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";
import { isPaidTooLate } from "../rules/outlived-invoice.ts";

export const HAS_FAILED = sql<boolean>`EXISTS (
  SELECT FROM billing_mails WHERE key = 'failed:' || ${invoices.id})`;

/** Paid after their subscription had ended, and not refunded in full. Without ids, those of everybody. */
export async function listRefundable(executor: Executor, subscriptionIds?: string[]): Promise<string[]> {
  const isTheirs = and(
    eq(subscriptions.userId, invoices.userId),
    eq(subscriptions.id, invoices.subscriptionId),
  );
  const rows = await executor
    .select({ invoice: invoices, subscription: subscriptions, hasFailed: HAS_FAILED })
    .from(invoices)
    .innerJoin(subscriptions, isTheirs)
    .where(
      and(
        gte(invoices.paidAt, subscriptions.endedAt),
        lt(invoices.amountRefunded, invoices.amountPaid),
        subscriptionIds && inArray(subscriptions.id, subscriptionIds),
      ),
    );
  const late = rows.filter((row) => isPaidTooLate(row.invoice, row.subscription, row.hasFailed));
  return late.map(({ invoice }) => invoice.id);
}
