import { and, gte, inArray, lt, sql } from "drizzle-orm";
import type { Executor } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { isPaidTooLate } from "../rules/lapsed-invoice.ts";
import { MAIL_KEYS } from "../rules/mail-keys.ts";
import { IS_BILLED } from "./own-subscription.server.ts";

/** An email has said that the payment failed, or that its subscription never started. */
export const WAS_REFUSED = sql<boolean>`EXISTS (SELECT FROM billing_mails
  WHERE key IN (${MAIL_KEYS.failed}::text || ${invoices.id}, ${MAIL_KEYS.unbegun}::text || ${invoices.subscriptionId}))`;

/** Paid after their subscription had ended, and not refunded in full. Without ids, those of everybody. */
export async function listRefundable(executor: Executor, subscriptionIds?: string[]): Promise<string[]> {
  const rows = await executor
    .select({ invoice: invoices, subscription: subscriptions, wasRefused: WAS_REFUSED })
    .from(invoices)
    .innerJoin(subscriptions, IS_BILLED)
    .where(
      and(
        gte(invoices.paidAt, subscriptions.endedAt),
        lt(invoices.amountRefunded, invoices.amountPaid),
        subscriptionIds && inArray(subscriptions.id, subscriptionIds),
      ),
    );
  const late = rows.filter((row) => isPaidTooLate(row.invoice, row.subscription, row.wasRefused));
  return late.map(({ invoice }) => invoice.id);
}
