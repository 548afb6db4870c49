import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";

/** `url`: the provider's page of the newest open invoice; null without one. */
export async function findPayPage(subscriptionId: string) {
  const isOpen = and(eq(invoices.subscriptionId, subscriptions.id), eq(invoices.status, "open"));
  const [row] = await db
    .select({
      status: subscriptions.status,
      isPaymentPending: subscriptions.isPaymentPending,
      url: sql<string | null>`(array_agg(${invoices.hostedUrl} ORDER BY ${invoices.createdAt} DESC))[1]`,
    })
    .from(subscriptions)
    .leftJoin(invoices, isOpen)
    .where(eq(subscriptions.id, subscriptionId))
    .groupBy(subscriptions.id);
  return row ?? { status: null, isPaymentPending: false, url: null };
}
