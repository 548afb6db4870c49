import { drizzle, type NodePgDatabase } from "drizzle-orm/node-postgres";
import pg from "pg";

const CONNECT_WITHIN_MS = 5_000;

export type BackupDatabase = NodePgDatabase;

/** One connection without deadlines for its statements: a large table takes minutes. `pg` can stream COPY. */
export async function withLongConnection<Result>(
  url: string,
  run: (db: BackupDatabase, client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    options: "-c statement_timeout=0 -c idle_in_transaction_session_timeout=0",
  });
  // Statements report a lost connection; without a listener it would also end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    return await run(drizzle(client), client);
  } finally {
    await client.end();
  }
}
