import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/billing.ts";

/** What is open of a subscription's invoices, in the currency's smallest unit; null when none is. */
export async function findOwed(subscriptionId: string): Promise<number | null> {
  const [row] = await db
    .select({ owed: sql<number | null>`sum(${invoices.amountRemaining})::float8` })
    .from(invoices)
    .where(and(eq(invoices.subscriptionId, subscriptionId), eq(invoices.status, "open")));
  return row?.owed ?? null;
}
