import { type SQL, sql } from "drizzle-orm";
import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import type pg from "pg";
import { longClient } from "#db/long-client.ts";

/** A large table takes minutes. */
const SETTINGS = {
  statement_timeout: 0,
  /** Dates are written as they are read, whatever the database is set to. */
  datestyle: "ISO",
  idle_in_transaction_session_timeout: 0,
};
const WEEK_MS = 7 * 24 * 3_600_000;

export type BackupDatabase = NodePgDatabase;

/** One connection, whose statements have no deadline; `pg` can stream COPY. It is cut after `withinMs`, should the database hang. */
export async function withLongConnection<Result>(
  url: string,
  run: (db: BackupDatabase, client: pg.Client) => Promise<Result>,
  withinMs = WEEK_MS,
): Promise<Result> {
  const client = await longClient(url, SETTINGS);
  // Statements report a lost connection; without a listener it would also end the process.
  client.on("error", () => {});
  await client.connect();
  const limit = setTimeout(() => void client.end().catch(() => {}), withinMs);
  try {
    return await run(drizzle(client), client);
  } finally {
    clearTimeout(limit);
    await client.end();
  }
}

/** In a transaction, whose moment the rows show. They can be read until the connection ends. */
export async function openCursor<Row extends Record<string, unknown>>(
  db: BackupDatabase,
  name: string,
  query: SQL,
): Promise<AsyncGenerator<Row>> {
  await db.execute(sql`DECLARE ${sql.identifier(name)} NO SCROLL CURSOR WITH HOLD FOR ${query}`);
  return rowsOf(db, name);
}

async function* rowsOf<Row extends Record<string, unknown>>(
  db: BackupDatabase,
  name: string,
): AsyncGenerator<Row> {
  for (;;) {
    const { rows } = await db.execute<Row>(sql`FETCH 1000 FROM ${sql.identifier(name)}`);
    if (rows.length === 0) return;
    yield* rows as Row[];
  }
}
