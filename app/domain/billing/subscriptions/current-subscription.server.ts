import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import { ACCESS_KINDS, FINISHED_KINDS, type StateKind } from "#app/domain/access/subscription-state.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { isCurrent, type PeriodOptions } from "./days-of-grace.server.ts";
import { hasBeenPaid } from "./has-been-paid.server.ts";
import { stateKind } from "./subscription-state.server.ts";

export type CurrentSubscription = typeof subscriptions.$inferSelect & {
  isCurrent: boolean;
  hasPaid: boolean;
  state: StateKind;
  price: typeof prices.$inferSelect & { product: typeof products.$inferSelect };
};

type Json = Record<string, unknown>;

export function hasAccess(userId: SQL, options: PeriodOptions = {}): SQL {
  const kind = stateKind(options);
  return sql`EXISTS (SELECT FROM subscriptions s WHERE s.user_id = ${userId} AND ${kind} IN ${ACCESS_KINDS})`;
}

/** The one with access that ends last (of two that end together, the one that goes on), else one that needs action, else the newest. Ended ones may have longer periods. */
export function currentSubscription(userId: SQL, options: PeriodOptions = {}): SQL {
  return sql`
    SELECT to_jsonb(s) || jsonb_build_object('is_current', ${isCurrent(options)}, 'has_paid', ${hasBeenPaid()}, 'state', k.kind,
      'price', to_jsonb(p) || jsonb_build_object('product', to_jsonb(d))) AS subscription
    FROM subscriptions s
    CROSS JOIN LATERAL (SELECT ${stateKind(options)} AS kind) k
    JOIN prices p ON p.id = s.price_id
    JOIN products d ON d.id = p.product_id
    WHERE s.user_id = ${userId}
    ORDER BY (k.kind IN ${ACCESS_KINDS}) DESC, (k.kind IN ${FINISHED_KINDS}), (s.unknown_since IS NOT NULL),
      s.current_period_end DESC, s.cancel_at_period_end, s.created DESC, s.id
    LIMIT 1`;
}

export function subscriptionFromJson(json: Json | null): CurrentSubscription | null {
  if (json === null) return null;
  const price = json.price as Json;
  return {
    ...rowOf(subscriptions, json),
    isCurrent: json.is_current === true,
    hasPaid: json.has_paid === true,
    state: json.state as StateKind,
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
