import { config } from "#app/config.server.ts";
import { openConnection } from "#db/connection.ts";

/** An arbitrary constant. Concurrent imports would write the same files. */
const IMPORT_LOCK = 7_304_617;

/** Runs `use` while no other import can begin; "busy" when one is running. */
export async function withImportLock<Result>(use: () => Promise<Result>): Promise<Result | "busy"> {
  const lock = openConnection(config.database.url ?? "");
  try {
    const [row] = await lock`SELECT pg_try_advisory_lock(${IMPORT_LOCK}) AS is_mine`;
    return row?.is_mine ? await use() : "busy";
  } finally {
    await lock.end({ timeout: 5 });
  }
}
