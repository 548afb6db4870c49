import { inArray, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { billingFacts } from "#db/schema/billing-events.ts";

/** Those about the person's subscriptions, also about sales that gave them none. */
function ofUser(userId: string): SQL {
  const bought = sql`SELECT id::text FROM checkouts WHERE user_id = ${userId}`;
  return sql`SELECT id FROM billing_facts WHERE checkout_id IN (${bought}) OR subscription_id IN (
    SELECT id FROM subscriptions WHERE user_id = ${userId}
    UNION SELECT subscription_id FROM billing_facts WHERE checkout_id IN (${bought}))`;
}

export function listFacts(userId: string) {
  return db
    .select()
    .from(billingFacts)
    .where(inArray(billingFacts.id, sql`(${ofUser(userId)})`))
    .orderBy(billingFacts.at, billingFacts.id);
}

/** Call it before the rows that name their owner are deleted. */
export async function deleteFacts(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(billingFacts).where(inArray(billingFacts.id, sql`(${ofUser(userId)})`));
}
