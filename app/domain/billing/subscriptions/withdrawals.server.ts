import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { withdrawals } from "#db/schema/billing.ts";

/** Undefined when nobody has withdrawn from the contract of this subscription. */
export async function findWithdrawalOf(subscriptionId: string) {
  const [withdrawal] = await db
    .select()
    .from(withdrawals)
    .where(eq(withdrawals.subscriptionId, subscriptionId));
  return withdrawal;
}
