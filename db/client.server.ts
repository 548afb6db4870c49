// Three pools: searches must not hold up pages, and counts write always.

import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import type postgres from "postgres";
import { config } from "#app/config.server.ts";
import { GuardedPool, type PoolUse } from "./adapter/guarded-pool.ts";
import { isDeadlock } from "./adapter/unreachable.ts";
import * as auth from "./schema/auth.ts";
import * as catalog from "./schema/catalog.ts";
import * as favorites from "./schema/favorites.ts";
import * as mail from "./schema/mail.ts";
import * as staff from "./schema/staff.ts";
import * as viewing from "./schema/viewing.ts";

/** Anyone can send the most expensive search, so searches end soon and leave the other connections alone. */
const SEARCH = { connections: 2, statementMs: 500 };
/** Counting takes short statements, so few connections suffice. */
const COUNT_CONNECTIONS = 2;
/** More than all pages have, lists in each order among them. */
const PREPARED = 200;
const SCRIPT_STATEMENT_MS = 600_000;

const schema = { ...auth, ...catalog, ...favorites, ...mail, ...staff, ...viewing };

const { url = "", directUrl = "", pool: connections, statementMs } = config.database;
const address = { url, isPooled: url !== directUrl };
const pool = new GuardedPool({ ...address, connections, statementMs, preparedStatements: PREPARED });

const searchPool = new GuardedPool({ ...address, ...SEARCH });

const countPool = new GuardedPool({
  ...address,
  connections: COUNT_CONNECTIONS,
  statementMs,
  writesAlways: true,
  preparedStatements: PREPARED,
});

export const db = drizzle(pool as unknown as postgres.Sql, { schema });
/** For lists of media and creators: one plan suits neither a common tag nor a rare one, neither the first page nor the last. */
export const listDb = drizzle(pool.planned as unknown as postgres.Sql, { schema });
export const searchDb = drizzle(searchPool as unknown as postgres.Sql, { schema });
/** For rate limits. Each count is one statement, which writes even where the database's sessions are read-only. */
export const countDb = drizzle(countPool as unknown as postgres.Sql, { schema });
export type Database = typeof db;
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** Lets a domain function run on its own or in the caller's transaction. */
export type Executor = Database | Transaction;

const DEADLOCK_TRIES = 3;

/** Needed because a merge and an item with both names may wait for each other, and the database ends one: decision 151. */
export async function retryDeadlock<Result>(make: (tx: Transaction) => Promise<Result>): Promise<Result> {
  for (let left = DEADLOCK_TRIES - 1; left > 0; left -= 1) {
    try {
      return await db.transaction(make);
    } catch (error) {
      if (!isDeadlock(error)) throw error;
    }
  }
  return db.transaction(make);
}

/** For scripts and the worker, where nobody waits: ten minutes per statement, past a pooler. */
export function allowLongStatements(): void {
  const given = { url: directUrl, isPooled: false, statementMs: SCRIPT_STATEMENT_MS };
  for (const each of [pool, searchPool, countPool]) each.change(given);
}

export function poolUse(): Record<"pages" | "searches" | "counts", PoolUse> {
  return { pages: pool.use, searches: searchPool.use, counts: countPool.use };
}

export async function closeDatabase(): Promise<void> {
  await Promise.all([pool, searchPool, countPool].map((one) => one.end(5)));
}

/** A parameter for ANY(). */
export function uuids(ids: string[]): SQL {
  return sql`${sql.param(`{${ids.join()}}`)}::uuid[]`;
}
