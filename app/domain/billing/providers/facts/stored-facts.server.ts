import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Executor } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { readRows } from "#db/rows.ts";
import { fact, type ToldFact } from "../contract/facts.ts";

const told = z.intersection(
  fact,
  z.object({ id: z.string().max(255, { abort: true }), at: z.coerce.date() }),
);

/** A sale that its provider does not know when it is asked about it, which ends what it gave. */
export const IS_UNKNOWN_SALE = sql`fact ->> 'kind' = 'closed' AND id LIKE '%:sale'`;

/** For a statement that stores more than the facts. One that is told again changes nothing. */
export function insertFacts(provider: string, facts: ToldFact[]): SQL {
  return sql`INSERT INTO billing_facts (id, provider, subscription_id, checkout_id, at, fact)
    SELECT f ->> 'id', ${provider}, f ->> 'subscriptionId', f ->> 'checkoutId', (f ->> 'at')::timestamptz, f
    FROM jsonb_array_elements(${JSON.stringify(facts)}::jsonb) f ON CONFLICT DO NOTHING`;
}

/** For what no event tells: our own ends, and answers to questions. */
export async function storeFacts(
  provider: string,
  facts: ToldFact[],
  executor: Executor = db,
): Promise<void> {
  await executor.execute(insertFacts(provider, facts));
}

/** Of the subscriptions whose ids `subscriptionIds` selects. */
export function readFacts(provider: string, subscriptionIds: SQL): Promise<ToldFact[]> {
  return readRows(db, told)`SELECT fact FROM billing_facts
    WHERE provider = ${provider} AND subscription_id IN (${subscriptionIds})`;
}

/** The sales of a purchase. There are several when a page that cannot be closed was paid twice. */
export async function readSales(provider: string, checkoutId: string) {
  const facts = await readRows(db, told)`SELECT fact FROM billing_facts
    WHERE provider = ${provider} AND checkout_id = ${checkoutId} ORDER BY at, id`;
  return facts.filter((one) => one.kind === "sale");
}

/** Ours, unless the provider's clock is ahead, as a stand-in's is that was moved on. */
export async function readTimeAfter(facts: ToldFact[]): Promise<Date> {
  const now = await readDatabaseTime();
  return new Date(Math.max(now.getTime(), ...facts.map(({ at }) => at.getTime() + 1)));
}
