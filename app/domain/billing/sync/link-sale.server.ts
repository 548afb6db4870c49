import { and, desc, eq, ne, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { readRow, timestamp } from "#db/rows.ts";
import { users } from "#db/schema/auth.ts";
import { billingFacts } from "#db/schema/billing-events.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { prices, products } from "#db/schema/prices.ts";
import { listProbedProviders } from "../providers/providers.server.ts";
import { formatTerms } from "../rules/format-money.ts";
import { termsOf } from "../rules/purchase-terms.ts";
import { type EventOutcome, outcomeOf } from "../rules/sync-outcome.ts";
import { fetchAndEnforce } from "./enforce-rules.server.ts";
import { fetchForEvent } from "./fetch-for-event.server.ts";
import { writeSnapshot } from "./write-snapshot.server.ts";

type Refusal = "noProvider" | "known" | "noPurchase" | "unknownToProvider";
export type LinkedSale =
  | { refused: Refusal }
  | { userId: string; plan: string; orderedAt: Date; outcome: EventOutcome | null };

/**
 * Gives a subscription, whose sale no event has told, to the member who bought it: it becomes the sale of their newest
 * purchase that is not completed. Null as the outcome of a dry run.
 */
export async function linkSale(
  subscriptionId: string,
  email: string,
  { isDryRun }: { isDryRun: boolean },
): Promise<LinkedSale> {
  const provider = listProbedProviders().find(({ name }) => subscriptionId.startsWith(`${name}:`));
  if (provider === undefined) return { refused: "noProvider" };
  const isSale = sql`${billingFacts.fact} ->> 'kind' = 'sale'`;
  if ((await db.$count(billingFacts, and(eq(billingFacts.subscriptionId, subscriptionId), isSale))) > 0)
    return { refused: "known" };
  const purchase = await findPurchase(email, provider.name);
  if (purchase === null) return { refused: "noPurchase" };
  const { checkout, userId, plan } = purchase;
  const found = {
    userId,
    plan: `${plan}, ${formatTerms({ ...checkout, isPrepaid: false })}`,
    orderedAt: checkout.createdAt,
  };
  if (isDryRun) return { ...found, outcome: null };
  const told = await findEventTime(subscriptionId);
  const at = new Date(Math.max(told.getTime(), checkout.createdAt.getTime()));
  const terms = termsOf(checkout);
  if (!(await provider.adopt({ subscriptionId, checkoutId: checkout.id, terms, at })))
    return { refused: "unknownToProvider" };
  const subject = { kind: "facts", id: subscriptionId } as const;
  const snapshot = await fetchAndEnforce(provider, () => fetchForEvent(provider, subject));
  const differences = await db.transaction((tx) => writeSnapshot(tx, snapshot));
  return { ...found, outcome: outcomeOf(differences) };
}

async function findPurchase(email: string, provider: string) {
  const isOpen = and(eq(checkouts.provider, provider), ne(checkouts.status, "completed"));
  const [found] = await db
    .select({ checkout: checkouts, userId: users.id, plan: products.name })
    .from(checkouts)
    .innerJoin(users, eq(users.id, checkouts.userId))
    .innerJoin(prices, eq(prices.id, checkouts.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .where(and(isOpen, eq(users.email, email)))
    .orderBy(desc(checkouts.createdAt))
    .limit(1);
  return found ?? null;
}

/** By the provider's list of sales, which has named the subscription. */
async function findEventTime(subscriptionId: string): Promise<Date> {
  const listed = await readRow(db, z.object({ at: timestamp }))`
    SELECT created_at AS at FROM billing_events WHERE subject = 'facts' AND subject_id = ${subscriptionId}
    ORDER BY created_at LIMIT 1`;
  return listed?.at ?? readDatabaseTime();
}
