import { and, eq, notInArray } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { currentProvider } from "../providers/current-provider.server.ts";

/** The user behind a customer; null without one. Locks the row until the transaction ends. */
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

/** One account may sell for several sites. An object that names none is ours. */
export function namesAnotherSite(site: string | null | undefined): boolean {
  return site !== null && site !== undefined && site !== config.billing.site;
}

/** A former provider cannot be called. Throws ProviderUnreachable, so that the job is retried. */
export async function forgetCustomer(customer: { provider: string; customerId: string }): Promise<void> {
  const provider = currentProvider();
  if (provider?.name === customer.provider) await provider.forgetCustomer(customer.customerId);
}
