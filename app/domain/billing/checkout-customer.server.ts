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
  const providerCustomerId = await provider.createCustomer({ userId, email, key: `customer-${userId}` });
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

async function findCustomer(provider: BillingProvider, userId: string): Promise<string | null> {
  const [row] = await db.select().from(customers).where(eq(customers.userId, userId));
  return row?.provider === provider.name ? row.providerCustomerId : null;
}
