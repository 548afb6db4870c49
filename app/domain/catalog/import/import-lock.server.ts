// Needed because two imports at once would store and delete the same files: decision 161.
import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import { parseDatabaseUrl } from "#app/config/database-address.ts";
import { config } from "#app/config.server.ts";
import { connectTimeoutMs, pgOptions } from "#db/adapter/driver-options.ts";

/** An arbitrary constant. */
export const IMPORT_LOCK = 7_304_617;
/** A dead connection is noticed within two minutes, on both sides. */
const IDLE_SECONDS = 60;
const KEEPALIVES = `-c tcp_keepalives_idle=${IDLE_SECONDS} -c tcp_keepalives_interval=10 -c tcp_keepalives_count=3`;

/** Another import may have begun, and may be storing the same files. */
export class ImportLockLost extends Error {
  constructor() {
    super("the connection that keeps other imports away was lost; run it again to go on from here");
  }
}

/**
 * Runs `use` while no other import can begin; "busy" when one is running. `lost` is aborted with an ImportLockLost when the
 * lock is gone, as after a restart of the database.
 */
export async function withImportLock<Result>(
  use: (lost: AbortSignal) => Promise<Result>,
): Promise<Result | "busy"> {
  const lost = new AbortController();
  const url = config.database.url ?? "";
  const given = await pgOptions(url);
  const client = new pg.Client({
    ...given,
    connectionTimeoutMillis: connectTimeoutMs(parseDatabaseUrl(url)),
    keepAlive: true,
    keepAliveInitialDelayMillis: IDLE_SECONDS * 1_000,
    options: [...(given.options === undefined ? [] : [given.options]), KEEPALIVES].join(" "),
  });
  for (const event of ["error", "end"] as const) client.on(event, () => lost.abort(new ImportLockLost()));
  await client.connect();
  try {
    const { rows } = await drizzle(client).execute<{ isMine: boolean }>(
      sql`SELECT pg_try_advisory_lock(${IMPORT_LOCK}) AS "isMine"`,
    );
    return rows[0]?.isMine ? await use(lost.signal) : "busy";
  } finally {
    await client.end().catch(() => {});
  }
}
