import { and, eq, notInArray } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { providerOf } from "../providers/providers.server.ts";

/** Ids of customers are unique at their provider only. */
export interface Customer {
  provider: string;
  customerId: string;
}

const CUSTOMER = { provider: customers.provider, customerId: customers.providerCustomerId };

export async function listCustomers(userId: string): Promise<Customer[]> {
  return db.select(CUSTOMER).from(customers).where(eq(customers.userId, userId)).orderBy(customers.createdAt);
}

export async function findCustomerId(userId: string, provider: string): Promise<string | null> {
  const isTheirs = and(eq(customers.userId, userId), eq(customers.provider, provider));
  const [row] = await db.select(CUSTOMER).from(customers).where(isTheirs);
  return row?.customerId ?? null;
}

export async function lockOwner(tx: Transaction, customer: Customer): Promise<string | null> {
  const [row] = await selectOwner(tx, customer).for("update");
  return row?.userId ?? null;
}

export async function findOwner(customer: Customer): Promise<string | null> {
  const [row] = await selectOwner(db, customer);
  return row?.userId ?? null;
}

export function isCustomer({ provider, customerId }: Customer) {
  return and(eq(customers.provider, provider), eq(customers.providerCustomerId, customerId));
}

function selectOwner(executor: Executor, customer: Customer) {
  return executor.select({ userId: customers.userId }).from(customers).where(isCustomer(customer));
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
export async function forgetCustomer({ provider, customerId }: Customer): Promise<void> {
  await providerOf(provider)?.forgetCustomer(customerId);
}
