import { isDeepStrictEqual } from "node:util";
import { and, eq, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { customers } from "#db/schema/billing.ts";
import type { AskedAt } from "./asked-at.server.ts";
import type { What } from "./change.ts";
import { lockOwner, namesAnotherSite } from "./owner.server.ts";
import type { CustomerSnapshot } from "./providers/provider.ts";

/**
 * Writes how somebody is charged, and the card, unless a later answer is there. Of a customer that the provider has
 * deleted nothing stays but what was bought.
 */
export async function mirrorCustomer(
  tx: Transaction,
  snapshot: CustomerSnapshot,
  askedAt: AskedAt,
): Promise<What> {
  const userId = await lockOwner(tx, snapshot.id);
  if (userId === null || namesAnotherSite(snapshot.site)) return "foreign";
  if (snapshot.isDeleted) {
    await tx.delete(customers).where(eq(customers.userId, userId));
    await writeCard(tx, userId, snapshot);
    return "ended";
  }
  const asked = await tx
    .update(customers)
    .set({ readAt: sql`${askedAt}::timestamptz` })
    .where(and(eq(customers.userId, userId), sql`${customers.readAt} <= ${askedAt}::timestamptz`))
    .returning({ userId: customers.userId });
  return asked.length === 0 ? "late" : writeCard(tx, userId, snapshot);
}

async function writeCard(
  tx: Transaction,
  userId: string,
  { billingMethod, card }: CustomerSnapshot,
): Promise<What> {
  const told = { billing_method: billingMethod, payment_method: card };
  const [known] = await tx
    .select({ billing_method: users.billing_method, payment_method: users.payment_method })
    .from(users)
    .where(eq(users.id, userId));
  if (isDeepStrictEqual(known, told)) return "same";
  await tx.update(users).set(told).where(eq(users.id, userId));
  return "changed";
}
