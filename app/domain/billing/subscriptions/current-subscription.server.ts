import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { config } from "#app/config.server.ts";
import {
  ENDED_STATUSES,
  PAID_STATUSES,
  SUBSCRIBING_STATUSES,
} from "#app/domain/access/subscription-status.ts";
import { prices, products, subscriptions } from "#db/schema/billing.ts";

/** How long an overdue renewal still counts, so that a late event shuts nobody out; by then it was synced. */
const LATE_WORD = sql`interval '2 days'`;

export type CurrentSubscription = typeof subscriptions.$inferSelect & {
  /** The period, plus two days for late events, has not ended; after a failed payment, the days of grace. */
  isCurrent: boolean;
  price: typeof prices.$inferSelect & { product: typeof products.$inferSelect };
};

type Json = Record<string, unknown>;

/** Conditions of a subscription `s`. `opens`: it gives access. */
function accessOf(graceDays: number): { isCurrent: SQL; opens: SQL } {
  // No renewal is expected of a cancelled subscription, nor of one unknown to the provider.
  const wait = sql`CASE WHEN s.cancel_at_period_end OR s.unknown_since IS NOT NULL THEN interval '0' ELSE ${LATE_WORD} END`;
  // A stand-in's clock may be ahead of ours: future days must not add grace.
  const begun = sql`least(s.current_period_start, now())`;
  const grace = sql`${graceDays} * interval '1 day'`;
  const end = sql`CASE WHEN s.status = 'past_due' THEN ${begun} + ${grace} ELSE s.current_period_end + ${wait} END`;
  const isCurrent = sql`(${end} > now())`;
  return { isCurrent, opens: sql`s.status IN ${SUBSCRIBING_STATUSES} AND ${isCurrent}` };
}

/** True when the current subscription gives access, as isSubscribed() says of a viewer. */
export function hasAccess(userId: SQL, graceDays = config.billing.graceDays): SQL {
  const { opens } = accessOf(graceDays);
  return sql`EXISTS (SELECT FROM subscriptions s WHERE s.user_id = ${userId} AND ${opens})`;
}

/** The one with access that ends last, else one that needs action, else the newest: ended ones may have longer periods. */
export function currentSubscription(userId: SQL, graceDays = config.billing.graceDays): SQL {
  const { isCurrent, opens } = accessOf(graceDays);
  const isOver = sql`s.status IN ${ENDED_STATUSES}
    OR s.status IN ${PAID_STATUSES} AND s.cancel_at_period_end AND s.current_period_end <= now()
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

export function readSubscription(json: Json | null): CurrentSubscription | null {
  if (json === null) return null;
  const price = json.price as Json;
  return {
    ...rowOf(subscriptions, json),
    isCurrent: json.is_current === true,
    price: { ...rowOf(prices, price), product: rowOf(products, price.product as Json) },
  };
}

function rowOf<Table extends PgTable>(table: Table, json: Json): Table["$inferSelect"] {
  const entries = Object.entries(getTableColumns(table)).map(([key, column]) => {
    const value = json[column.name] ?? null;
    return [key, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(entries);
}
