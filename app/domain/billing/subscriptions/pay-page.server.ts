import { and, eq, sql } from "drizzle-orm";
import type { SubscriptionStatus } from "#app/domain/access/subscription-status.ts";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";

interface PayPage {
  status: SubscriptionStatus | null;
  isPaymentPending: boolean;
  /** The provider's page of the newest open invoice; null without one. */
  url: string | null;
  /** Total of the open invoices, in the currency's smallest unit; null when none is open. */
  owed: number | null;
}

export async function findPayPage(subscriptionId: string): Promise<PayPage> {
  const isOpen = and(eq(invoices.subscriptionId, subscriptions.id), eq(invoices.status, "open"));
  const [row] = await db
    .select({
      status: subscriptions.status,
      isPaymentPending: subscriptions.isPaymentPending,
      url: sql<string | null>`(array_agg(${invoices.hostedUrl} ORDER BY ${invoices.createdAt} DESC))[1]`,
      owed: sql<number | null>`sum(${invoices.amountRemaining})::float8`,
    })
    .from(subscriptions)
    .leftJoin(invoices, isOpen)
    .where(eq(subscriptions.id, subscriptionId))
    .groupBy(subscriptions.id);
  return row ?? { status: null, isPaymentPending: false, url: null, owed: null };
}
