import { isDeepStrictEqual } from "node:util";
import { and, desc, eq, lte, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import type { CustomerSnapshot } from "../providers/contract/provider.ts";
import type { Outcome } from "../rules/sync-outcome.ts";
import { isCustomer, lockOwner } from "../subscriptions/customers.server.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";

/** Once a customer is deleted at the provider, only the purchases stay. */
export async function writeCustomer(
  tx: Transaction,
  snapshot: CustomerSnapshot,
  { provider, fetchedAt }: Pick<ProviderSnapshot, "provider" | "fetchedAt">,
): Promise<Outcome> {
  const own = { provider, customerId: snapshot.id };
  const userId = await lockOwner(tx, own);
  if (userId === null || snapshot.isOtherSite) return "otherSite";
  if (snapshot.isDeleted) {
    await tx.delete(customers).where(isCustomer(own));
    if (await paysWith(tx, userId, provider)) await writeCard(tx, userId, snapshot);
    return "ended";
  }
  const isNews = and(isCustomer(own), lte(customers.fetchedAt, fetchedAt));
  const updated = await tx.update(customers).set({ fetchedAt }).where(isNews);
  if (updated.count === 0) return "late";
  return (await paysWith(tx, userId, provider)) ? writeCard(tx, userId, snapshot) : "same";
}

/** Of several providers, the account shows the card of the one whose subscription lasts longest. */
async function paysWith(tx: Transaction, userId: string, provider: string): Promise<boolean> {
  const [last] = await tx
    .select({ provider: subscriptions.provider })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), ne(subscriptions.provider, DEMO_PROVIDER)))
    .orderBy(desc(subscriptions.currentPeriodEnd))
    .limit(1);
  return last === undefined || last.provider === provider;
}

async function writeCard(tx: Transaction, userId: string, { billingMethod, card }: CustomerSnapshot) {
  const values = { billing_method: billingMethod, payment_method: card };
  const [known] = await tx
    .select({ billing_method: users.billing_method, payment_method: users.payment_method })
    .from(users)
    .where(eq(users.id, userId));
  if (isDeepStrictEqual(known, values)) return "same";
  await tx.update(users).set(values).where(eq(users.id, userId));
  return "changed";
}
