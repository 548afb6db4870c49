import { sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { IMPORT_COPIES } from "#app/domain/catalog/import/require-space.server.ts";
import { readMediaSpace } from "#app/domain/health/disk.server.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { sizeText } from "#app/sizes.ts";
import { db, type Executor } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";
import { IS_NOT_IMPORTED, NEVER_BEGAN } from "./upload-conditions.server.ts";

export const DISK_FULL_SENTENCE =
  "The site’s disk is full. Uploaded files are kept. Ask the host to free some space, then resume.";

export interface Space {
  freeBytes: number;
  quotaBytes: number;
}

export async function readSpace(): Promise<Space> {
  const { freeBytes } = await readMediaSpace();
  return { freeBytes, quotaBytes: config.media.uploadQuotaBytes };
}

export async function isDiskFull(bytes: number, space: () => Promise<Space> = readSpace): Promise<boolean> {
  return (await space()).freeBytes - IMPORT_COPIES * bytes < DISK_RESERVE_BYTES;
}

/** A sentence when these files do not fit beside all open uploads. */
export async function newFilesProblem(
  userId: string,
  bytes: number,
  { freeBytes, quotaBytes }: Space,
  executor: Executor = db,
): Promise<string | null> {
  const own = await readOwnUse(userId, executor);
  if (own + bytes > quotaBytes) return quotaSentence(own, quotaBytes, bytes);
  const { awaited, notImported } = await readEverybodysUse(executor);
  const needed = bytes + IMPORT_COPIES * bytes;
  const free = Math.max(0, freeBytes - awaited - IMPORT_COPIES * notImported - DISK_RESERVE_BYTES);
  if (needed <= free) return null;
  return `These files need ${sizeText(needed)} until they are imported, and the site’s disk has ${sizeText(free)} left for new uploads. Choose fewer files, or ask the host to free some space.`;
}

export async function nextPieceProblem(
  userId: string,
  bytes: number,
  { freeBytes, quotaBytes }: Space,
  executor: Executor = db,
): Promise<string | null> {
  if (freeBytes - bytes < DISK_RESERVE_BYTES) return DISK_FULL_SENTENCE;
  const received = await readReceived(userId, executor);
  return received + bytes > quotaBytes ? quotaSentence(received, quotaBytes, bytes) : null;
}

function quotaSentence(used: number, quota: number, bytes: number): string {
  return `Your uploads can use up to ${sizeText(quota)} until they are imported. They use ${sizeText(used)} now, and this needs ${sizeText(bytes)}. Uploaded files are kept. Wait until they are imported, remove some, or dismiss refused files.`;
}

// Their conditions match an index: most rows belong to batches whose files are gone.

/** `ofBatch`: a condition on upload_batches. */
function isOwn(userId: string, ofBatch = sql`true`) {
  return sql`state <> 'passedOver' AND batch_id = ANY(ARRAY(
    SELECT id FROM upload_batches WHERE user_id = ${userId} AND has_files AND ${ofBatch}))`;
}

function readOwnUse(userId: string, executor: Executor) {
  return readOne(executor, number)`
    SELECT coalesce(sum(CASE WHEN state = 'refused' THEN received_bytes ELSE bytes END), 0)::float8
    FROM uploads WHERE ${isOwn(userId, sql`NOT ${NEVER_BEGAN}`)}`;
}

function readReceived(userId: string, executor: Executor) {
  return readOne(executor, number)`
    SELECT coalesce(sum(received_bytes), 0)::float8 FROM uploads WHERE ${isOwn(userId)}`;
}

const EverybodysUse = z.object({
  /** Declared bytes that are not on the disk yet. */
  awaited: number,
  /** Declared bytes, on the disk or not, that are not imported yet. */
  notImported: number,
});
/** An idle upload holds no space. It counts again with its next piece. */
const AWAITED_FOR = sql`interval '1 hour'`;

/** For a declaration, not for each piece: it reads the open uploads of everybody. */
function readEverybodysUse(executor: Executor) {
  return readOne(executor, EverybodysUse)`
    SELECT coalesce(sum(bytes - received_bytes) FILTER (WHERE state = 'uploading'), 0)::float8 AS awaited,
      coalesce(sum(bytes), 0)::float8 AS "notImported"
    FROM uploads WHERE ${IS_NOT_IMPORTED} AND batch_id = ANY(ARRAY(
      SELECT id FROM upload_batches WHERE ended_at IS NULL))
      AND NOT (state = 'uploading' AND batch_id = ANY(ARRAY(
        SELECT id FROM upload_batches WHERE ended_at IS NULL AND updated_at < now() - ${AWAITED_FOR})))`;
}
