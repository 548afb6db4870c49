import { existsSync } from "node:fs";
import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { IMPORT_COPIES } from "#app/domain/catalog/import/require-space.server.ts";
import { DISK_RESERVE_BYTES, readDiskSpace } from "#app/domain/health/disk.server.ts";
import { sizeText } from "#app/sizes.ts";
import { db, type Executor } from "#db/client.server.ts";

export const DISK_FULL =
  "The disk of this site is full. All that has arrived stays: ask its host to free some space, then go on.";

export interface Space {
  freeBytes: number;
  quotaBytes: number;
}

export async function readSpace(): Promise<Space> {
  const folder = [config.media.dir, config.dataDir].find((path) => existsSync(path));
  const freeBytes = folder === undefined ? 0 : (await readDiskSpace(folder)).freeBytes;
  return { freeBytes, quotaBytes: config.media.uploadQuotaBytes };
}

/** Whether these bytes, and as many that are made of them, would leave too little free. */
export async function isDiskFull(bytes: number, space: () => Promise<Space> = readSpace): Promise<boolean> {
  return (await space()).freeBytes - IMPORT_COPIES * bytes < DISK_RESERVE_BYTES;
}

/**
 * A sentence when these files would not fit until they are taken in, beside what this person and others have begun.
 * `storedBytes`: how many of theirs are on the disk without a row.
 */
export async function newFilesProblem(
  userId: string,
  { bytes, storedBytes = 0 }: { bytes: number; storedBytes?: number },
  { freeBytes, quotaBytes }: Space,
  executor: Executor = db,
): Promise<string | null> {
  const { own, awaited, untaken } = await readUse(userId, executor);
  if (own + bytes > quotaBytes) return quotaSentence(own, quotaBytes, bytes);
  const needed = bytes - storedBytes + IMPORT_COPIES * bytes;
  const free = Math.max(0, freeBytes - awaited - IMPORT_COPIES * untaken - DISK_RESERVE_BYTES);
  if (needed <= free) return null;
  return `Until they are taken in, these files need ${sizeText(needed)}, and the disk of this site has ${sizeText(free)} for uploads beside those that have begun. Choose fewer, or ask its host to free some space.`;
}

/** The same for the next piece of an upload that has begun. */
export async function nextPieceProblem(
  userId: string,
  bytes: number,
  { freeBytes, quotaBytes }: Space,
): Promise<string | null> {
  if (freeBytes - bytes < DISK_RESERVE_BYTES) return DISK_FULL;
  const { received } = await readUse(userId, db);
  return received + bytes > quotaBytes ? quotaSentence(received, quotaBytes, bytes) : null;
}

function quotaSentence(used: number, quota: number, bytes: number): string {
  return `Your uploads may have ${sizeText(quota)} on this site until they are taken in. They have ${sizeText(used)} now, and this needs ${sizeText(bytes)}. All that has arrived stays: wait until it is taken in, remove some, or choose “Dismiss” where files were refused.`;
}

interface Use {
  /** Announced by this person's uploads, and on the disk. */
  own: number;
  received: number;
  /** Announced by everybody's, and not on the disk yet, as far as anything still comes. */
  awaited: number;
  /** `awaited`, and what has arrived and is not taken in yet. */
  untaken: number;
}

/** An upload that nobody sends keeps no room from others. It counts again with its next piece. */
const AWAITED_FOR = sql`interval '1 hour'`;

async function readUse(userId: string, executor: Executor): Promise<Use> {
  // Both conditions are those of an index: most rows are of batches whose files are gone.
  const [use] = await executor.execute<Use & Record<string, unknown>>(sql`
    SELECT own.*, everybody.* FROM (
      SELECT coalesce(sum(CASE WHEN state = 'refused' THEN received_bytes ELSE bytes END), 0)::float8 AS own,
        coalesce(sum(received_bytes), 0)::float8 AS received
      FROM uploads WHERE state <> 'passedOver' AND batch_id = ANY(ARRAY(
        SELECT id FROM upload_batches WHERE user_id = ${userId} AND has_files))) AS own,
    (
      SELECT coalesce(sum(bytes - received_bytes) FILTER (WHERE state = 'uploading'), 0)::float8 AS awaited,
        coalesce(sum(bytes), 0)::float8 AS untaken
      FROM uploads WHERE state IN ('uploading', 'complete') AND batch_id = ANY(ARRAY(
        SELECT id FROM upload_batches WHERE ended_at IS NULL))
        AND NOT (state = 'uploading' AND batch_id = ANY(ARRAY(
          SELECT id FROM upload_batches WHERE ended_at IS NULL AND updated_at < now() - ${AWAITED_FOR})))) AS everybody`);
  return use ?? { own: 0, received: 0, awaited: 0, untaken: 0 };
}
