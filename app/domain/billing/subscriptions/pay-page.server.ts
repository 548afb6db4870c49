import { and, desc, eq, sql } from "drizzle-orm";
import type { SubscriptionStatus } from "#app/domain/access/subscription-status.ts";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";

interface PayPage {
  status: SubscriptionStatus | null;
  /** The provider's page of the newest open invoice; null without one. */
  url: string | null;
  isPaymentPending: boolean;
}

export async function findPayPage(subscriptionId: string): Promise<PayPage> {
  const isOpen = and(eq(invoices.subscriptionId, subscriptions.id), eq(invoices.status, "open"));
  const [row] = await db
    .select({
      status: subscriptions.status,
      url: invoices.hostedUrl,
      isPaymentPending: subscriptions.isPaymentPending,
    })
    .from(subscriptions)
    .leftJoin(invoices, isOpen)
    .where(eq(subscriptions.id, subscriptionId))
    .orderBy(desc(invoices.createdAt))
    .limit(1);
  return row ?? { status: null, url: null, isPaymentPending: false };
}

/** Total of the open invoices, in the currency's smallest unit; null when none is open. */
export async function findOwed(subscriptionId: string): Promise<number | null> {
  const [row] = await db
    .select({ owed: sql<number | null>`sum(${invoices.amountRemaining})::float8` })
    .from(invoices)
    .where(and(eq(invoices.subscriptionId, subscriptionId), eq(invoices.status, "open")));
  return row?.owed ?? null;
}
