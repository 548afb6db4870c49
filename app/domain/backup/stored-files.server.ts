import { sql } from "drizzle-orm";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { hashOf, keysBelow } from "#app/domain/media/storage/walk.server.ts";
import type { BackupDatabase } from "./connect.server.ts";
import type { BackupFile } from "./contents.ts";

/** Files that rows name, with hashes, then avatars, which have no stored hash. Needs a transaction. */
export async function* filesOf(db: BackupDatabase): AsyncGenerator<BackupFile> {
  await db.execute(sql`DECLARE files NO SCROLL CURSOR FOR
    SELECT DISTINCT ON (storage_key) storage_key AS "storageKey", bytes::float8 AS bytes, sha256 FROM (
      SELECT storage_key, bytes, sha256 FROM media_files
      UNION ALL SELECT storage_key, bytes, sha256 FROM creator_files) named
    ORDER BY storage_key`);
  for (;;) {
    const { rows } = await db.execute<BackupFile & Record<string, unknown>>(sql`FETCH 1000 FROM files`);
    if (rows.length === 0) break;
    yield* rows;
  }
  for await (const storageKey of keysBelow("avatars")) {
    const stored = await mediaStorage.head(storageKey);
    if (stored) yield { storageKey, bytes: stored.bytes, sha256: await hashOf(storageKey) };
  }
}

/** In bytes, without avatars. */
export async function sizeOfFiles(db: BackupDatabase): Promise<number> {
  const { rows } = await db.execute<{ bytes: number }>(sql`
    SELECT (COALESCE((SELECT sum(bytes) FROM media_files), 0) + COALESCE((SELECT sum(bytes) FROM creator_files), 0))::float8
      AS bytes`);
  return rows[0]?.bytes ?? 0;
}
