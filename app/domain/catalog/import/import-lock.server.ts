// Needed because two imports at once would store and delete the same files: decision 161.
import { drizzle } from "drizzle-orm/node-postgres";
import { config } from "#app/config.server.ts";
import { longClient } from "#db/long-client.ts";
import { flag, readOne } from "#db/rows.ts";

const IMPORT_LOCK = 7_304_617;

/** Another import may be storing the same files. */
export class ImportLockLost extends Error {
  constructor() {
    super("the connection that locks out other imports was lost; run the import again to continue");
  }
}

/** "busy" when another import runs. `lost` is aborted with an ImportLockLost, for example when the database restarts. */
export async function withImportLock<Result>(
  use: (lost: AbortSignal) => Promise<Result>,
): Promise<Result | "busy"> {
  const lost = new AbortController();
  const client = await longClient(config.database.directUrl ?? "");
  for (const event of ["error", "end"] as const) client.on(event, () => lost.abort(new ImportLockLost()));
  await client.connect();
  try {
    const isMine = await readOne(drizzle(client), flag)`SELECT pg_try_advisory_lock(${IMPORT_LOCK})`;
    return isMine ? await use(lost.signal) : "busy";
  } finally {
    await client.end().catch(() => {});
  }
}
