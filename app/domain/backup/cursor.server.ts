import { type SQL, sql } from "drizzle-orm";
import type { BackupDatabase } from "./connect.server.ts";

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
