import { and, eq, ne, or, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { findCustomerId } from "../subscriptions/customers.server.ts";

export interface Person {
  userId: string;
  email: string;
}

/** Concurrent calls get the same id. `unknown`: an id that the provider does not know, to be replaced. */
export async function requireCustomer(
  provider: BillingProvider,
  { userId, email }: Person,
  unknown: string | null = null,
): Promise<string> {
  const known = await findCustomerId(userId, provider.name);
  if (known !== null && known !== unknown) return known;
  const providerCustomerId = await createCustomer(provider, { userId, email }, unknown);
  const mine = { provider: provider.name, providerCustomerId };
  // Not an upsert: two concurrent ones could conflict on the other unique column.
  await db
    .insert(customers)
    .values({ userId, ...mine })
    .onConflictDoNothing();
  const isOfAnother = or(
    ne(customers.provider, provider.name),
    eq(customers.providerCustomerId, unknown ?? ""),
  );
  await db
    .update(customers)
    .set({ ...mine, reconciledAt: null, fetchedAt: sql`now()` })
    .where(and(eq(customers.userId, userId), isOfAnother));
  return (await findCustomerId(userId, provider.name)) ?? providerCustomerId;
}

/** The provider repeats its answer for a key for a day, even after the host has deleted that customer there. */
async function createCustomer(provider: BillingProvider, person: Person, unknown: string | null) {
  const first = `customer-${person.userId}`;
  const key = unknown === null ? first : `${first}-after-${unknown}`;
  const id = await provider.createCustomer({ ...person, key });
  const customer = await provider.readCustomer(id);
  if (customer !== null && !customer.isDeleted) return id;
  return provider.createCustomer({ ...person, key: `${first}-after-${id}` });
}
