import { sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import type { JobPayload } from "#app/domain/jobs/jobs.ts";
import { checksumsOf } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";

const FILES_AT_ONCE = 100;
/** A worker that is to stop waits for its jobs. */
const STEP_MS = 5_000;

type Step = JobPayload<"fill-checksums">;

interface Row extends Record<string, unknown> {
  mediaId: string;
  version: number;
  name: string;
  storageKey: string;
  sha256: string;
}

/**
 * Gives files from before their CRC-32 was kept theirs, in steps of a few seconds: each queues the next one, and the last
 * none. A file that is missing or damaged is passed over, and tried again the next day.
 */
export async function fillChecksums({ after }: Step): Promise<void> {
  const until = performance.now() + STEP_MS;
  let last = after;
  for (const { storageKey, sha256, ...key } of await filesWithout(after)) {
    const sums = await checksumsOf(storageKey).catch(nullWhenGone);
    if (sums?.sha256 === sha256) {
      await db.execute(sql`UPDATE media_files SET crc32 = ${sums.crc32}
        WHERE media_id = ${key.mediaId} AND version = ${key.version} AND name = ${key.name} AND sha256 = ${sha256}`);
    }
    last = key;
    if (performance.now() > until) break;
  }
  if (last !== after) await enqueue("fill-checksums", { after: last });
}

async function filesWithout(after: Step["after"]): Promise<Row[]> {
  const later = after
    ? sql`(media_id, version, name) > (${after.mediaId}::uuid, ${after.version}::int, ${after.name}::text)`
    : sql`true`;
  return db.execute<Row>(sql`
    SELECT media_id AS "mediaId", version, name, storage_key AS "storageKey", sha256 FROM media_files
    WHERE crc32 IS NULL AND ${later} ORDER BY media_id, version, name LIMIT ${FILES_AT_ONCE}`);
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
