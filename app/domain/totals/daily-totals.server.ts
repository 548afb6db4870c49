import { type SQL, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import { addDays, DAY_MS, startOfZoneDay, toZoneTime, zoneOffsets } from "#app/dates.ts";
import type { Executor, Transaction } from "#db/client.server.ts";
import { readRow, text } from "#db/rows.ts";

/** What the key of each kind names. Seconds and bytes are whole, and money is in the currency's smallest unit. */
export const TOTAL_KINDS = {
  mediaPlays: "item",
  mediaCompletions: "item",
  mediaSeconds: "item",
  creatorPlays: "creator",
  creatorCompletions: "creator",
  creatorSeconds: "creator",
  trialsBegun: "price",
  trialsKept: "price",
  /** Subscriptions whose paid time began, kept trials among them. */
  beginnings: "price",
  /** Ends of those. A trial that was not kept neither began nor ended. */
  endings: "price",
  paid: "currency and price",
  refunded: "currency and price",
  /** Charged back by buyers' banks. */
  disputed: "currency and price",
  signIns: "nothing",
  /** By how much the catalog's files grew; the sum of all days is their size. */
  storedBytes: "nothing",
  originalBytes: "nothing",
} as const;

export type TotalKind = keyof typeof TOTAL_KINDS;

export interface SiteClock {
  now: Date;
  timeZone: string;
}

export interface CountedPart extends SiteClock {
  before?: Date;
  userId?: string;
}

/** `steps` mark the rows as counted in the same statement, so that each counts once, on its own day. */
export async function addToTotals(executor: Executor, { steps, rows }: { steps: SQL; rows: SQL }) {
  await executor.execute(sql`
    WITH ${steps}
    INSERT INTO daily_totals (day, kind, key, amount)
    SELECT day, kind, key, sum(amount) FROM (${rows}) AS found (day, kind, key, amount)
    GROUP BY day, kind, key HAVING sum(amount) <> 0
    ON CONFLICT (kind, day, key) DO UPDATE SET amount = daily_totals.amount + excluded.amount`);
}

/** A row that somebody else is changing waits for the next run, because others lock in other orders; a deletion has no next run. */
export function lockForCounting({ userId }: CountedPart, rows = sql``): SQL {
  return sql`FOR NO KEY UPDATE ${rows} ${userId === undefined ? sql`SKIP LOCKED` : sql``}`;
}

export function totalRows(kind: TotalKind, given: { day: SQL; key?: SQL; amount?: SQL; from: SQL }): SQL {
  const { day, key = sql`''`, amount = sql`1`, from } = given;
  return sql`SELECT ${day}::date, ${kind}::text, (${key})::text, (${amount})::bigint FROM ${from}`;
}

export function unionOf(selects: SQL[]): SQL {
  return sql.join(selects, sql` UNION ALL `);
}

const SITES_EXIST_SINCE = new Date("2015-01-01");
const FORESEEN_DAYS = 400;
const offsetsByZone = new LRUCache<string, SQL>({ max: 1, ttl: DAY_MS });

/** By the clocks that Node knows, as everywhere else: the database has time zones of its own, which may be older. */
export function dayOf(time: SQL, timeZone: string): SQL {
  const offsets = offsetsByZone.get(timeZone) ?? offsetsOf(timeZone);
  offsetsByZone.set(timeZone, offsets);
  return sql`(${time} AT TIME ZONE 'UTC' + (
    SELECT zone_offset FROM ${offsets} AS clocks (zone_since, zone_offset)
    WHERE zone_since <= ${time} ORDER BY zone_since DESC LIMIT 1))::date`;
}

function offsetsOf(timeZone: string): SQL {
  const found = zoneOffsets(timeZone, SITES_EXIST_SINCE, addDays(new Date(), FORESEEN_DAYS));
  const since = found.map(({ at }, index) => (index === 0 ? "-infinity" : at.toISOString()));
  const offsets = found.map(({ offsetMs }) => `${offsetMs} milliseconds`);
  return sql`unnest(${sql.param(`{${since.join()}}`)}::timestamptz[], ${sql.param(`{${offsets.join()}}`)}::interval[])`;
}

export function totalOf(kind: TotalKind): SQL {
  return sql`(SELECT coalesce(sum(amount), 0) FROM daily_totals WHERE kind = ${kind})`;
}

/** Two that count at once would wait for each other's rows. Call it first in the transaction. */
export async function lockTotals(tx: Transaction): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('daily_totals'))`);
}

export function startOfDay({ now, timeZone }: SiteClock): Date {
  return startOfZoneDay(toZoneTime(now, timeZone).slice(0, 10), timeZone);
}

/** The day ("2026-12-21") of counts without a date, once it is over. After a pause of the site, the last day on which it ran (decision 150). */
export async function closeDay(tx: Transaction, { now, timeZone }: SiteClock): Promise<string | null> {
  const today = sql`${toZoneTime(now, timeZone).slice(0, 10)}::date`;
  await tx.execute(sql`INSERT INTO counted_day (day) VALUES (${today}) ON CONFLICT DO NOTHING`);
  return readRow(tx, text)`
    UPDATE counted_day SET day = ${today} FROM (SELECT day FROM counted_day) AS former
    WHERE former.day < ${today} RETURNING former.day::text`;
}
