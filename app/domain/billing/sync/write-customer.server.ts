import { isDeepStrictEqual } from "node:util";
import { and, eq, lte } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/billing.ts";
import type { CustomerSnapshot } from "../providers/contract/provider.ts";
import type { Outcome } from "../rules/sync-outcome.ts";
import { lockOwner } from "../subscriptions/customers.server.ts";
import type { FetchedAt } from "./snapshot.server.ts";

/** Once a customer is deleted at the provider, only the purchases stay. */
export async function writeCustomer(
  tx: Transaction,
  snapshot: CustomerSnapshot,
  fetchedAt: FetchedAt,
): Promise<Outcome> {
  const userId = await lockOwner(tx, snapshot.id);
  if (userId === null || snapshot.isOtherSite) return "otherSite";
  if (snapshot.isDeleted) {
    await tx.delete(customers).where(eq(customers.userId, userId));
    await writeCard(tx, userId, snapshot);
    return "ended";
  }
  const isNews = and(eq(customers.userId, userId), lte(customers.fetchedAt, fetchedAt));
  const updated = await tx.update(customers).set({ fetchedAt }).where(isNews);
  return updated.count === 0 ? "late" : writeCard(tx, userId, snapshot);
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
