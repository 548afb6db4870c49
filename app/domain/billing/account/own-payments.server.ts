import { and, desc, eq, ne, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";
import { viewInvoice } from "../subscriptions/invoice-list.server.ts";
import { otherSubscriptions, viewOther } from "../subscriptions/other-subscriptions.server.ts";

const MAX_INVOICES = 100;

interface Asked {
  userId: string;
  subscriptionId: string | null;
  provider: string | null;
}

/** One statement: the account page has a round trip for it only. */
export async function findOwnPayments({ userId, subscriptionId, provider }: Asked) {
  const rows = await db
    .select({
      invoice: invoices,
      subscription: subscriptions,
      isCustomer: sql<boolean>`EXISTS (
        SELECT FROM customers WHERE user_id = ${userId} AND provider = ${provider})`,
      owed: sql<number | null>`(SELECT sum(due.amount_remaining)::float8 FROM invoices due
        WHERE due.subscription_id = ${subscriptionId} AND due.status = 'open')`,
      others: otherSubscriptions(userId, subscriptionId),
    })
    .from(sql`(SELECT 1) AS person`)
    .leftJoin(invoices, and(eq(invoices.userId, userId), ne(invoices.status, "draft")))
    .leftJoin(subscriptions, eq(subscriptions.id, invoices.subscriptionId))
    .orderBy(desc(invoices.createdAt), desc(invoices.id))
    .limit(MAX_INVOICES);
  const [first] = rows;
  return {
    invoices: rows.flatMap(({ invoice, subscription }) =>
      invoice ? [viewInvoice(invoice, subscription)] : [],
    ),
    isCustomer: first?.isCustomer === true,
    owed: first?.owed ?? null,
    others: (first?.others ?? []).map(viewOther),
  };
}
