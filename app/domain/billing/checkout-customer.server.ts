import { and, eq, ne } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import type { BillingProvider } from "./providers/provider.ts";

/** The provider's id of this person, made at the first purchase. However many ask at once, there is one. */
export async function requireCustomer(
  provider: BillingProvider,
  { userId, email }: { userId: string; email: string },
): Promise<string> {
  const known = await findCustomer(provider, userId);
  if (known !== null) return known;
  const providerCustomerId = await createCustomer(provider, { userId, email });
  const mine = { provider: provider.name, providerCustomerId };
  // Not an upsert: two at once could each meet the other's row by its other unique column.
  await db
    .insert(customers)
    .values({ userId, ...mine })
    .onConflictDoNothing();
  // Of a provider that this site had before.
  const isOfAnother = and(eq(customers.userId, userId), ne(customers.provider, provider.name));
  await db.update(customers).set(mine).where(isOfAnother);
  return (await findCustomer(provider, userId)) ?? providerCustomerId;
}

/** For a day the provider gives the same answer for a key, even after the host has deleted that customer there. */
async function createCustomer(provider: BillingProvider, person: { userId: string; email: string }) {
  const key = `customer-${person.userId}`;
  const id = await provider.createCustomer({ ...person, key });
  const customer = await provider.readCustomer(id);
  if (customer !== null && !customer.isDeleted) return id;
  return provider.createCustomer({ ...person, key: `${key}-after-${id}` });
}

async function findCustomer(provider: BillingProvider, userId: string): Promise<string | null> {
  const [row] = await db.select().from(customers).where(eq(customers.userId, userId));
  return row?.provider === provider.name ? row.providerCustomerId : null;
}
