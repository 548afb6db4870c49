import { and, eq, notInArray } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { customers, subscriptions } from "#db/schema/billing.ts";
import { sellingProvider } from "../providers/providers.server.ts";

export async function findCustomerId(userId: string, provider: string): Promise<string | null> {
  const isTheirs = and(eq(customers.userId, userId), eq(customers.provider, provider));
  const [row] = await db.select({ id: customers.providerCustomerId }).from(customers).where(isTheirs);
  return row?.id ?? null;
}

export async function lockOwner(tx: Transaction, customerId: string): Promise<string | null> {
  const [row] = await selectOwner(tx, customerId).for("update");
  return row?.userId ?? null;
}

export async function findOwner(customerId: string): Promise<string | null> {
  const [row] = await selectOwner(db, customerId);
  return row?.userId ?? null;
}

function selectOwner(executor: Executor, customerId: string) {
  const isTheirs = eq(customers.providerCustomerId, customerId);
  return executor.select({ userId: customers.userId }).from(customers).where(isTheirs);
}

export async function listOpenSubscriptions(userId: string, provider: string): Promise<string[]> {
  const isTheirs = and(eq(subscriptions.userId, userId), eq(subscriptions.provider, provider));
  const rows = await db
    .select({ id: subscriptions.id })
    .from(subscriptions)
    .where(and(isTheirs, notInArray(subscriptions.status, ENDED_STATUSES)));
  return rows.map(({ id }) => id);
}

/** A former provider cannot be called. Throws ProviderUnreachable, so that the job is retried. */
export async function forgetCustomer(customer: { provider: string; customerId: string }): Promise<void> {
  const provider = sellingProvider();
  if (provider?.name === customer.provider) await provider.forgetCustomer(customer.customerId);
}
