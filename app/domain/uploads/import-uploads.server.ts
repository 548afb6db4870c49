import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { DEFAULT_ACCESS } from "#app/domain/access/access.ts";
import { type ImportResult, importFolder } from "#app/domain/catalog/import/import-folder.server.ts";
import { withImportLock } from "#app/domain/catalog/import/import-lock.server.ts";
import { isCompanionName, kindOfFile, stemOf } from "#app/domain/media/import/file-kinds.server.ts";
import { HELD_BACK, refusalOf } from "#app/domain/media/import/refusal.ts";
import { StorageUnavailableError } from "#app/domain/media/storage/storage.ts";
import { type Actor, hasRight } from "#app/domain/staff/rights.ts";
import { findActor } from "#app/domain/staff/roles.server.ts";
import { isDatabaseUnreachable } from "#db/adapter/unreachable.ts";
import { db, uuids } from "#db/client.server.ts";
import { number, readRow, readRows, text } from "#db/rows.ts";
import {
  deleteBatchFiles,
  deleteStaged,
  stagedFolder,
  stagedPath,
  stageFiles,
} from "./staged-files.server.ts";
import { canBeImported, HAS_ARRIVED, importTurn } from "./upload-conditions.server.ts";

/** A batch fails after this many imports that never ended. Each may have been killed. */
const MAX_ATTEMPTS = 3;
const PROGRESS_MS = 2_000;
const RECONNECT_MS = 2_000;
export const NO_RIGHT = "The person who uploaded this can no longer add items.";
const NEVER_ENDED = `The import started ${MAX_ATTEMPTS} times and never finished. The site’s log may say why.`;

const Batch = z.object({ id: text, userId: text, attempts: number });
type Batch = z.infer<typeof Batch>;

const StagedFile = z.object({ id: text, path: text, state: z.enum(["complete", "takenIn", "present"]) });
type StagedFile = z.infer<typeof StagedFile>;
const RestRow = StagedFile.omit({ state: true });

/**
 * Imports complete batches, small ones first. Does nothing while another import runs, and is queued again every minute. May be
 * killed at any time: the next run continues.
 */
export async function importUploads(
  stopping: AbortSignal,
): Promise<{ failed: { id: string; error: unknown }[] }> {
  const failed: { id: string; error: unknown }[] = [];
  await withImportLock(async (lost) => {
    const signal = AbortSignal.any([stopping, lost]);
    for (let batch = await beginNext(); batch !== null; batch = await beginNext()) {
      const { id } = batch;
      let returned: Promise<void> | null = null;
      const giveBackOnce = () => {
        returned ??= giveBack(id, stopping);
        return returned;
      };
      // The worker ends in seconds, and reading, hashing or storing a file ignores the signal.
      const onStop = () => void giveBackOnce().catch(() => {});
      stopping.addEventListener("abort", onStop, { once: true });
      try {
        await importBatch(batch, signal);
      } catch (error) {
        if (signal.aborted || isDatabaseUnreachable(error) || error instanceof StorageUnavailableError)
          return await giveBackOnce();
        failed.push({ id, error });
        await end(id, refusalOf(error, "").message);
      } finally {
        stopping.removeEventListener("abort", onStop);
      }
    }
  });
  return { failed };
}

async function beginNext(): Promise<Batch | null> {
  return readRow(db, Batch)`
    UPDATE upload_batches SET attempts = attempts + 1, began_at = coalesce(began_at, now()), updated_at = now()
    WHERE id = (SELECT batch.id FROM upload_batches batch
      WHERE ${canBeImported(sql`batch`)} ORDER BY began_at IS NULL, ${importTurn(sql`batch`)} LIMIT 1)
    RETURNING id, user_id AS "userId", attempts::int AS attempts`;
}

async function importBatch({ id, userId, attempts }: Batch, signal: AbortSignal): Promise<void> {
  if (attempts > MAX_ATTEMPTS) return end(id, NEVER_ENDED);
  const actor = await findUploader(userId);
  if (actor === null) return end(id, NO_RIGHT, { keepsFiles: false });
  signal.throwIfAborted();
  const files = await listStaged(id);
  const missing = new Set((await stageFiles(id, files)).missing);
  // After a restore: half a set must not become a draft, so its files are wanted again.
  const wanted = files
    .filter((file) => missing.has(file.id) && isOfNoDraft(file, files))
    .map((file) => file.id);
  if (wanted.length > 0) return wantAgain(id, wanted);
  // The rest of a set that is a draft already would become a second draft.
  await deleteStaged(id, restOfDrafts(files, missing));
  if (missing.size < files.length) await importStaged({ id, actor, files, signal });
  signal.throwIfAborted();
  await finish(id);
}

/** Null for a person who can no longer add items. */
export async function findUploader(userId: string): Promise<Actor | null> {
  const actor = await findActor(userId);
  return actor !== null && hasRight({ user: actor }, "media.edit") ? actor : null;
}

/** A sidecar counts like what it describes: it is marked as imported even when its set was refused. */
function isOfNoDraft({ path, state }: StagedFile, files: StagedFile[]): boolean {
  if (!isCompanionName(path)) return state === "complete";
  const beside = files.filter((file) => dirname(file.path) === dirname(path) && !isCompanionName(file.path));
  const ofSameName = beside.filter((file) =>
    basename(path)
      .normalize("NFC")
      .startsWith(`${stemOf(basename(file.path)).normalize("NFC")}.`),
  );
  const described = ofSameName.length > 0 ? ofSameName : beside;
  return described.length === 0 || described.some((file) => file.state === "complete");
}

function restOfDrafts(files: StagedFile[], missing: Set<string>): string[] {
  const cutOff = new Set(files.filter(({ id }) => missing.has(id)).map(({ path }) => dirname(path)));
  const rest = files.filter(
    ({ id, path, state }) => state === "takenIn" && !missing.has(id) && cutOff.has(dirname(path)),
  );
  return rest.map(({ path }) => path);
}

async function wantAgain(id: string, uploadIds: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(
      sql`UPDATE upload_batches SET began_at = NULL, attempts = 0, updated_at = now() WHERE id = ${id}`,
    );
    await tx.execute(
      sql`UPDATE uploads SET state = 'uploading', received_bytes = 0 WHERE id = ANY(${uuids(uploadIds)})`,
    );
  });
}

async function importStaged(batch: {
  id: string;
  actor: Actor;
  files: StagedFile[];
  signal: AbortSignal;
}): Promise<void> {
  const { id, actor, files, signal } = batch;
  const mediaIds = new Map<string, string>();
  const later: ImportResult[] = [];
  let writes = Promise.resolve();
  let savedAt = Number.NEGATIVE_INFINITY;
  const writeLater = (write: () => Promise<void>) => {
    writes = writes.then(write);
    writes.catch(() => {});
  };
  const writeOne = (result: ImportResult) =>
    writeLater(() => writeResult(filesOf(result.label, files), result, mediaIds.get(result.label) ?? null));
  await importFolder(stagedFolder(id), {
    ...{ isDryRun: false, isPublishing: false, isForced: false, keepsExisting: true },
    ...{ access: DEFAULT_ACCESS, creator: null, actor, signal },
    onIdentified: (label, mediaId) => void mediaIds.set(label, mediaId),
    onProgress({ index, total, part }) {
      if (performance.now() - savedAt < PROGRESS_MS) return;
      savedAt = performance.now();
      const importedPart = Math.min(1, (index + part) / total);
      writeLater(() => saveProgress(id, importedPart));
    },
    onResult(result) {
      const isOfFile = files.some(({ path }) => stagedPath(path) === result.label);
      if (result.outcome === "refused" && !isOfFile) later.push(result);
      else writeOne(result);
    },
  });
  for (const result of later) writeOne(result);
  await writes;
  await refuseRest(id);
}

/** A refused set names one of its files; the others have no result of their own. */
async function refuseRest(batchId: string): Promise<void> {
  const rest = await readRows(db, RestRow)`
    SELECT id, path FROM uploads WHERE batch_id = ${batchId} AND state = 'complete'`;
  for (const { id, path } of rest) {
    const kind = await kindOfFile(join(stagedFolder(batchId), stagedPath(path)), path);
    if (kind !== "picture" && kind !== "video") continue;
    await write([id], { state: "refused", note: `${HELD_BACK}another file of its set, which was refused` });
  }
}

function filesOf(label: string, files: StagedFile[]): string[] {
  const staged = files.map(({ id, path }) => ({ id, path: stagedPath(path) }));
  const exact = staged.filter(({ path }) => path === label);
  const inside = staged.filter(({ path }) => dirname(path) === label);
  const below = staged.filter(({ path }) => path.startsWith(`${label}/`));
  const found = [exact, inside, below].find((some) => some.length > 0) ?? [];
  return found.map(({ id }) => id);
}

async function writeResult(ids: string[], result: ImportResult, mediaId: string | null): Promise<void> {
  const { outcome } = result;
  if (outcome === "imported") return write(ids, { state: "takenIn", mediaId });
  if (outcome === "present") return write(ids, { state: "present", mediaId });
  if (!("reason" in result)) return;
  const { reason: note } = result;
  if (outcome === "refused") return write(ids, { state: "refused", note, mediaId: null });
  if (outcome === "passedOver") return write(ids, { state: "passedOver", note });
  await db.execute(sql`UPDATE uploads SET note = concat_ws('; ', note, ${note}::text) WHERE ${isOne(ids)}`);
}

/** A file keeps its first outcome: after a killed worker, an imported one would be "present". */
async function write(
  ids: string[],
  { state, note = null, mediaId = null }: { state: string; note?: string | null; mediaId?: string | null },
): Promise<void> {
  if (ids.length === 0) return;
  await db.execute(sql`
    UPDATE uploads SET state = ${state}::upload_state, note = ${note},
      media_id = (SELECT ${mediaId}::uuid WHERE ${mediaId}::uuid IS NOT NULL)
    WHERE ${isOne(ids)} AND state = 'complete'`);
}

function isOne(ids: string[]) {
  return sql`id = ANY(${uuids(ids)})`;
}

async function listStaged(batchId: string): Promise<StagedFile[]> {
  return readRows(db, StagedFile)`
    SELECT id, path, state FROM uploads WHERE batch_id = ${batchId} AND state IN ('complete', 'takenIn', 'present')
    ORDER BY position`;
}

async function saveProgress(batchId: string, importedPart: number): Promise<void> {
  await db.execute(sql`
    UPDATE upload_batches SET taken_part = ${importedPart}, updated_at = now() WHERE id = ${batchId}`);
}

/** Sidecars and captions have no result of their own. After a refusal, the files stay for another try. */
async function finish(batchId: string): Promise<void> {
  await db.execute(
    sql`UPDATE uploads SET state = 'takenIn' WHERE batch_id = ${batchId} AND state = 'complete'`,
  );
  const [refused] = await db.execute(sql`
    SELECT FROM uploads WHERE batch_id = ${batchId} AND state = 'refused' AND ${HAS_ARRIVED} LIMIT 1`);
  await end(batchId, null, { keepsFiles: refused !== undefined });
}

async function end(batchId: string, problem: string | null, { keepsFiles = true } = {}): Promise<void> {
  await db.execute(sql`
    UPDATE upload_batches SET ended_at = now(), updated_at = now(), taken_part = 1, problem = ${problem},
      has_files = ${keepsFiles} WHERE id = ${batchId}`);
  // Last, because the clean-up repeats it after a kill.
  if (!keepsFiles) await deleteBatchFiles(batchId);
}

/** A stop or an outage is not the batch's fault. Waits for the database, because a failing job would end the worker. */
async function giveBack(batchId: string, stopping: AbortSignal): Promise<void> {
  for (;;) {
    try {
      await db.execute(sql`
        UPDATE upload_batches SET attempts = greatest(attempts - 1, 0) WHERE id = ${batchId} AND ended_at IS NULL`);
      return;
    } catch (error) {
      if (stopping.aborted || !isDatabaseUnreachable(error)) throw error;
    }
    await sleep(RECONNECT_MS, undefined, { signal: stopping }).catch(() => {});
  }
}
