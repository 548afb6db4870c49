import { randomUUID } from "node:crypto";
import { basename, dirname } from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { count } from "#app/counts.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import {
  isCompanionName,
  isPictureName,
  isRawName,
  isVideoName,
} from "#app/domain/media/import/file-kinds.server.ts";
import { photoBeside } from "#app/domain/media/import/photo-companions.server.ts";
import { TOO_MANY_PICTURES } from "#app/domain/media/import/prepare-photo-set.server.ts";
import { RAW } from "#app/domain/media/import/refusal.ts";
import { whyPassedOver } from "#app/domain/media/import/skipped-files.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { EMPTY_FILE, FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";
import { uploadBatches, uploads } from "#db/schema/uploads.ts";
import { newFilesProblem, readSpace, type Space } from "./space.server.ts";
import { IS_NOT_IMPORTED, NEVER_BEGAN } from "./upload-conditions.server.ts";
import { normalizedPath, pathProblem, UPLOAD_LIMITS } from "./upload-limits.ts";

export interface ChosenFile {
  path: string;
  bytes: number;
  fingerprint: string;
}

export type DeclaredBatch =
  | { batchIds: string[]; uploads: { id: string; path: string }[] }
  | { problem: string };

/** Records the chosen files before their first byte arrives, and refuses unusable ones. `problem`: a sentence about space. */
export async function declareBatch(
  userId: string,
  files: ChosenFile[],
  space: () => Promise<Space> = readSpace,
): Promise<DeclaredBatch> {
  const rows = judged(files).map((file, position) => ({ ...file, id: randomUUID(), position }));
  const batches = inBatches(rows).map((batch) => ({ id: randomUUID(), rows: batch }));
  const coming = rows.filter(isComing);
  const bytes = coming.reduce((sum, file) => sum + file.bytes, 0);
  return db.transaction(async (tx) => {
    const problem =
      (await tooManyProblem(userId, coming.length, tx, batches.length)) ??
      (await newFilesProblem(userId, bytes, await space(), tx));
    if (problem !== null) return { problem };
    for (const { id: batchId, rows: its } of batches) {
      const hasFiles = its.some(isComing);
      // By the clock, because the list is in this order.
      const times = { createdAt: sql`clock_timestamp()`, endedAt: hasFiles ? null : sql`now()` };
      await tx.insert(uploadBatches).values({ id: batchId, userId, hasFiles, ...times });
      if (its.length > 0) await tx.insert(uploads).values(its.map((row) => ({ ...row, batchId })));
    }
    return {
      batchIds: batches.map(({ id }) => id),
      uploads: coming.map(({ id, path }) => ({ id, path })),
    };
  });
}

interface JudgedFile {
  path: string;
  state: "uploading" | "passedOver" | "refused";
}

function isComing({ state }: JudgedFile): boolean {
  return state === "uploading";
}

/** A batch is imported when all of it has arrived, so sets do not wait for the videos that were chosen with them. */
function inBatches<File extends JudgedFile>(files: File[]): File[][] {
  const folders = new Map<string, File[]>(files.map(({ path }) => [dirname(path), []]));
  for (const file of files) folders.get(dirname(file.path))?.push(file);
  const apart = new Set([...folders.values()].flatMap(ofVideos).filter(isComing));
  const together = files.filter((file) => !apart.has(file));
  return apart.size > 0 && together.some(isComing) ? [together, [...apart]] : [files];
}

/** Beside pictures, only videos that no sidecar can describe and that are no photo's clips. */
function ofVideos<File extends JudgedFile>(folder: File[]): File[] {
  const videos = folder.filter(({ path }) => isVideoName(path));
  const pictures = folder.flatMap(({ path }) =>
    isPictureName(path) || isRawName(path) ? [basename(path)] : [],
  );
  if (pictures.length === 0) return videos.length > 0 ? folder : [];
  if (folder.some(({ path }) => isCompanionName(path))) return [];
  return videos.filter(({ path }) => photoBeside(basename(path), pictures) === undefined);
}

const Open = z.object({ batches: number, files: number });

/** A sentence when this person has declared too many files that are not imported yet. */
export async function tooManyProblem(
  userId: string,
  files: number,
  tx: Transaction,
  batches = 1,
): Promise<string | null> {
  // One at a time, or two would count on the same limit, and on the same free space.
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended('uploads', 0))`);
  const open = await readOne(tx, Open)`
    SELECT count(*)::int AS batches, coalesce(sum(files), 0)::int AS files
    FROM upload_batches CROSS JOIN LATERAL (
      SELECT count(*) AS files FROM uploads WHERE batch_id = upload_batches.id AND ${IS_NOT_IMPORTED}) AS its
    WHERE user_id = ${userId} AND ended_at IS NULL AND NOT ${NEVER_BEGAN}`;
  const { openBatches, openFiles } = UPLOAD_LIMITS;
  if (open.batches + batches > openBatches)
    return `You can have up to ${openBatches} uploads that are not imported yet. Finish or remove some of them first.`;
  if (open.files + files <= openFiles) return null;
  return `You can have up to ${count(openFiles, "file")} that are not imported yet. Finish or remove some of your uploads first.`;
}

function judged(files: ChosenFile[]) {
  const taken = new Set<string>();
  const usable = files
    .map(({ path, bytes }) => ({ path: normalizedPath(path), bytes }))
    .filter((file) => pathProblem(file.path) === null && passedOverIn(file.path) === null)
    .filter((file) => sizeProblem(file) === null)
    .map(({ path }) => path);
  const overfull = overfullFolders(usable);
  const isOfOverfull = (path: string) => isPictureName(path) && overfull.has(dirname(path));
  const paths = usable.filter((path) => !isOfOverfull(path));
  return files.map(({ path: given, bytes, fingerprint }) => {
    const path = normalizedPath(given);
    const problem = pathProblem(path);
    const file = { path: path.replace(/[\p{Cc}\p{Cs}]/gu, "?"), bytes, fingerprint };
    const refused = (note: string) => ({ ...file, state: "refused" as const, note });
    if (problem !== null) return refused(problem);
    const passedOver = passedOverIn(path);
    if (passedOver !== null) return { ...file, state: "passedOver" as const, note: passedOver };
    const size = sizeProblem(file);
    if (size !== null) return refused(size);
    if (isOfOverfull(path)) return refused(TOO_MANY_PICTURES);
    if (taken.has(path)) return refused("another chosen file has the same name");
    if (isRawName(path) && isLoneRaw(path, paths)) return refused(RAW);
    taken.add(path);
    return { ...file, state: "uploading" as const, note: null };
  });
}

function sizeProblem({ path, bytes }: Pick<ChosenFile, "path" | "bytes">): string | null {
  if (bytes === 0) return EMPTY_FILE;
  if (bytes > FILE_LIMITS.video) return largerThan(FILE_LIMITS.video);
  return isPictureName(path) && bytes > FILE_LIMITS.photo ? largerThan(FILE_LIMITS.photo) : null;
}

/** The import would refuse all pictures of such a folder, after the last one has arrived. */
function overfullFolders(paths: string[]): Set<string> {
  const pictures = new Map<string, number>();
  for (const path of new Set(paths)) {
    const folder = dirname(path);
    if (isPictureName(path)) pictures.set(folder, (pictures.get(folder) ?? 0) + 1);
  }
  return new Set([...pictures.keys()].filter((folder) => (pictures.get(folder) ?? 0) > ITEM_LIMITS.photos));
}

/** Beside its photo, a raw picture is skipped; without one, it would hold back its set. */
export function isLoneRaw(path: string, paths: string[]): boolean {
  const beside = paths.filter(
    (other) => other !== path && isPictureName(other) && dirname(other) === dirname(path),
  );
  return (
    photoBeside(
      basename(path),
      beside.map((other) => basename(other)),
    ) === undefined
  );
}

function passedOverIn(path: string): string | null {
  const names = path.split("/");
  for (const [index, name] of names.entries()) {
    const position = { isFolder: index < names.length - 1, parent: names[index - 1] ?? "", siblings: [] };
    const reason = whyPassedOver({ name, ...position });
    if (reason !== null) return reason;
  }
  return null;
}

const FilesLeft = z.object({ coming: number, complete: number });

/** Queues the job only when no more files are coming. The batch's row must be locked. */
export async function queueImport(tx: Transaction, batchId: string): Promise<void> {
  const left = await readOne(tx, FilesLeft)`
    SELECT count(*) FILTER (WHERE state = 'uploading')::int AS coming,
      count(*) FILTER (WHERE state = 'complete')::int AS complete FROM uploads WHERE batch_id = ${batchId}`;
  if (left.coming > 0) return;
  if (left.complete > 0) await enqueue("take-in-uploads", {}, tx);
  else {
    await tx.execute(sql`
      UPDATE upload_batches SET ended_at = now(), has_files = false WHERE id = ${batchId} AND ended_at IS NULL`);
  }
}
