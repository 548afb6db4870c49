import { and, desc, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices, subscriptions } from "#db/schema/billing.ts";
import type { SubscriptionStatus } from "./access.ts";

interface PayPage {
  /** Null when we have no such subscription. */
  status: SubscriptionStatus | null;
  /** The provider's page of its newest invoice that is to be paid; null without one. */
  url: string | null;
  isPaymentPending: boolean;
}

/** How a subscription stands as far as we know, and where what it owes can be paid. */
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
