import { and, eq, notInArray } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import type { SubscriptionStatus } from "./access.ts";

/** From which a subscription never comes back. */
export const ENDED_STATUSES: SubscriptionStatus[] = ["canceled", "incomplete_expired"];

/** Who a customer of the provider's is here; null when nobody. Until the transaction ends nobody else writes about them. */
export async function lockOwner(tx: Transaction, customerId: string): Promise<string | null> {
  const [row] = await tx
    .select({ userId: customers.userId })
    .from(customers)
    .where(eq(customers.providerCustomerId, customerId))
    .for("update");
  return row?.userId ?? null;
}

export async function findOwner(customerId: string): Promise<string | null> {
  const [row] = await db
    .select({ userId: customers.userId })
    .from(customers)
    .where(eq(customers.providerCustomerId, customerId));
  return row?.userId ?? null;
}

/** Ids of those that are not over for good, as far as we know. */
export async function listOpenSubscriptions(userId: string, provider: string): Promise<string[]> {
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(
      and(
        eq(subscriptions.userId, userId),
        eq(subscriptions.provider, provider),
        notInArray(subscriptions.status, ENDED_STATUSES),
      ),
    );
  return rows.map(({ id }) => id);
}

/** One account may sell for several sites. What names none is ours. */
export function namesAnotherSite(site: string | null | undefined): boolean {
  return site !== null && site !== undefined && site !== config.billing.site;
}
