import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { config } from "#app/config.server.ts";
import { prices, products, subscriptions } from "#db/schema/billing.ts";

/**
 * How long a subscription that should have been renewed still counts, so that a provider's late word shuts nobody out:
 * by then it has been asked.
 */
const LATE_WORD = sql`interval '2 days'`;

export type CurrentSubscription = typeof subscriptions.$inferSelect & {
  /**
   * By the database's clock its period, and the time that the provider's word may be late, have not passed; of one whose
   * payment failed, the days that the host leaves for mending that.
   */
  isCurrent: boolean;
  price: typeof prices.$inferSelect & { product: typeof products.$inferSelect };
};

type Json = Record<string, unknown>;

/**
 * A query for the one subscription that counts for a person, as JSON in the column "subscription": of those that open
 * something the one that ends last, else one that something can still be done about, else the newest of the past. What
 * is over may reach further than what follows it: a year that was paid back, before a month. So may what the provider
 * does not know, and of which it is only known for how long it is paid. `graceDays`: for which one
 * stays open whose period has begun and was not paid.
 */
export function currentSubscription(userId: SQL, graceDays = config.billing.graceDays): SQL {
  // No word is due of one that is to end, nor of one that nobody knows where it would be renewed.
  const wait = sql`CASE WHEN s.cancel_at_period_end OR s.unknown_since IS NOT NULL THEN interval '0' ELSE ${LATE_WORD} END`;
  // A stand-in's clock may be ahead of ours: days that are to come are no grace.
  const begun = sql`least(s.current_period_start, now())`;
  const grace = sql`${graceDays} * interval '1 day'`;
  const end = sql`CASE WHEN s.status = 'past_due' THEN ${begun} + ${grace} ELSE s.current_period_end + ${wait} END`;
  const isCurrent = sql`(${end} > now())`;
  const opens = sql`s.status IN ('trialing', 'active', 'past_due') AND ${isCurrent}`;
  const isOver = sql`s.status IN ('canceled', 'incomplete_expired')
    OR s.status IN ('trialing', 'active') AND s.cancel_at_period_end AND s.current_period_end <= now()
    OR s.unknown_since IS NOT NULL AND NOT (${opens})`;
  return sql`
    SELECT to_jsonb(s) || jsonb_build_object('is_current', ${isCurrent},
      'price', to_jsonb(p) || jsonb_build_object('product', to_jsonb(d))) AS subscription
    FROM subscriptions s
    JOIN prices p ON p.id = s.price_id
    JOIN products d ON d.id = p.product_id
    WHERE s.user_id = ${userId}
    ORDER BY (${opens}) DESC, (${isOver}), (s.unknown_since IS NOT NULL), s.current_period_end DESC, s.created DESC, s.id
    LIMIT 1`;
}

/** What the column of that query holds. */
export function readSubscription(json: Json | null): CurrentSubscription | null {
  if (json === null) return null;
  const price = json.price as Json;
  return {
    ...rowOf(subscriptions, json),
    isCurrent: json.is_current === true,
    price: { ...rowOf(prices, price), product: rowOf(products, price.product as Json) },
  };
}

/** The row that Postgres wrote as JSON, with the schema's names and types. */
function rowOf<Table extends PgTable>(table: Table, json: Json): Table["$inferSelect"] {
  const entries = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = json[column.name] ?? null;
    return [key, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(entries);
}
