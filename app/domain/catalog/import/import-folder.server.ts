import { basename, join } from "node:path";
import { config } from "#app/config.server.ts";
import type { Access } from "#app/domain/access/access.ts";
import {
  combineHashes,
  hashFile,
  mediaIdOf,
  photoIdsOf,
} from "#app/domain/media/import/content-id.server.ts";
import { stemOf } from "#app/domain/media/import/file-kinds.server.ts";
import type { PrepareOptions } from "#app/domain/media/import/prepare.ts";
import {
  checkPhotoFiles,
  checkPhotoSet,
  preparePhotoSet,
} from "#app/domain/media/import/prepare-photo-set.server.ts";
import { checkVideoSize, dryRunVideo, prepareVideo } from "#app/domain/media/import/prepare-video.server.ts";
import { ImportRefusal, readSource, refusalOf } from "#app/domain/media/import/refusal.ts";
import { type Found, scanFolder } from "#app/domain/media/import/scan.server.ts";
import { ITEM_LIMITS, nameFromFile } from "#app/domain/media/item-texts.ts";
import { StorageUnavailableError } from "#app/domain/media/storage/storage.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { deleteMediaFiles } from "#app/domain/media/store-file.server.ts";
import { readToday, site } from "#app/domain/site/site.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { publicationProblem } from "../edit/states/transitions.server.ts";
import type { MediaState } from "../media/media.server.ts";
import { ImportLockLost } from "./import-lock.server.ts";
import { requireSpace } from "./require-space.server.ts";
import {
  checkDatabase,
  findImported,
  type Release,
  releaseFor,
  saveImported,
} from "./save-imported.server.ts";
import {
  type Facts,
  FactsError,
  keyOf,
  normalizedFacts,
  requireValidFacts,
  sidecarFacts,
  sidecarPhotoFacts,
} from "./sidecar-facts.server.ts";
import { type Updated, updateImported } from "./update-imported.server.ts";

interface ImportOptions {
  isDryRun: boolean;
  /** Otherwise new items are drafts. */
  isPublishing: boolean;
  /** Sidecars win over changes in the studio. */
  isForced: boolean;
  /** Sidecars do not change existing items. */
  keepsExisting?: boolean;
  access: Access;
  creator: string | null;
  actor: Actor;
  signal: AbortSignal;
  /** `part` of item `index` of `total`, 0 to 1. */
  onProgress: (progress: { index: number; total: number; label: string; part: number }) => void;
  onResult: (result: ImportResult) => void;
  /** Called for existing items, and before new ones are made. */
  onIdentified?: (label: string, mediaId: string) => void;
}

export type ImportResult =
  /** A creator's portrait has no state and no kind. */
  | { outcome: "imported" | "wouldImport"; label: string; state?: MediaState; kind?: MediaType }
  | { outcome: "updated" | "wouldUpdate"; label: string; fields: string[] }
  /** An existing item that was published or scheduled. */
  | { outcome: "released" | "wouldRelease"; label: string; state: MediaState }
  | { outcome: "present"; label: string }
  | {
      outcome: "refused" | "passedOver" | "warning" | "kept" | "notPublished";
      label: string;
      reason: string;
    };

/** A refused item leaves nothing behind and does not stop the rest. Throws when aborted, and without a database or an object store. */
export async function importFolder(folder: string, options: ImportOptions): Promise<{ credited: string[] }> {
  const { found, refused, passedOver } = await scanFolder(folder);
  if (!options.isDryRun) await sweepTemporary(config.media.workDir);
  for (const each of passedOver) options.onResult({ outcome: "passedOver", ...each });
  for (const { path, message } of refused) {
    options.onResult({ outcome: "refused", label: path, reason: message });
  }
  const credited: string[] = [];
  const run: Run = { seen: new Set(), dryRunBytes: 0 };
  for (const [index, item] of found.entries()) {
    options.signal.throwIfAborted();
    const warnings: { label: string; reason: string }[] = [];
    const work: PrepareOptions = {
      signal: options.signal,
      onProgress: (part) => options.onProgress({ index, total: found.length, label: item.label, part }),
      onWarning: (reason, label = item.label) => warnings.push({ label, reason }),
    };
    work.onProgress(0);
    try {
      const results = await importItem(item, run, work, options);
      if (results.some(({ outcome }) => outcome !== "present")) credited.push(...creatorsOf(item, options));
      for (const result of results) options.onResult(result);
      for (const each of warnings) options.onResult({ outcome: "warning", ...each });
    } catch (error) {
      options.signal.throwIfAborted();
      // Every other item would be read and refused, too.
      if (error instanceof StorageUnavailableError) throw error;
      const refusal = refusalOf(error, item.label);
      for (const { path, message } of [refusal, ...refusal.more]) {
        options.onResult({ outcome: "refused", label: path, reason: message });
      }
      await checkDatabase();
    }
  }
  return { credited };
}

interface Run {
  /** Content hashes: the second of two equal files is "present", even in a dry run. */
  seen: Set<string>;
  dryRunBytes: number;
}

async function importItem(
  item: Found,
  run: Run,
  work: PrepareOptions,
  options: ImportOptions,
): Promise<ImportResult[]> {
  const { label } = item;
  const given = refusingFaults(label, () => sidecarFacts(item.sidecar, site.timeZone));
  const { seen } = run;
  const bytes = await (item.kind === "video" ? checkVideoSize(item) : checkPhotoFiles(item));
  const { contentHash, photoHashes } = await hashContent(item, work.signal);
  const known = await findImported(contentHash);
  const page = known ? `${config.origin}${paths.studioItem(known.id)}` : "";
  const mediaId = known?.id ?? mediaIdOf(contentHash);
  options.onIdentified?.(label, mediaId);
  if (known?.state === "deleted") {
    throw new ImportRefusal(label, `it was deleted from this site and cannot be imported again: ${page}`);
  }
  if (seen.has(contentHash) || (known && options.keepsExisting)) return [{ outcome: "present", label }];
  const photoIds = photoIdsOf(mediaId, photoHashes);
  const photoNames = item.kind === "video" ? [] : item.paths.map((path) => basename(path));
  const photoFacts = refusingFaults(label, () => sidecarPhotoFacts(item.sidecar, photoNames, photoIds));
  if (known?.state === "takenDown") {
    const reason = `it was taken down, and the import does not change that: ${page}`;
    return [
      { outcome: "present", label },
      { outcome: "kept", label, reason },
    ];
  }
  if (known) {
    const updated = await updateImported(known.id, { facts: given, photoFacts }, options).catch((error) => {
      throw asRefusal(label, error);
    });
    seen.add(contentHash);
    const names = new Map(photoIds.map((id, index) => [id, photoNames[index] ?? ""]));
    return updateResults(label, updated, options, (field) => keyOf(field, names));
  }
  const facts = normalizedFacts({ ...defaultFacts(item, options), ...given });
  const today = await readToday();
  const checkFacts = (durationSeconds: number | null) =>
    refusingFaults(label, () => requireValidFacts(facts, Object.keys(facts), { durationSeconds, today }));
  checkFacts(null);
  const checked: PrepareOptions = { ...work, onInspected: checkFacts };
  await requireSpace(label, bytes, run.dryRunBytes);
  if (options.isDryRun) {
    run.dryRunBytes += bytes;
    await (item.kind === "video" ? dryRunVideo(item, checked) : checkPhotoSet(item, checked));
    seen.add(contentHash);
    return newResults(item, await dryRunRelease(facts, options), options);
  }
  // A killed run may have left files that this one would not replace.
  await deleteMediaFiles(mediaId);
  try {
    const prepared = await (item.kind === "video"
      ? prepareVideo(item, contentHash, checked)
      : preparePhotoSet(item, { contentHash, photoHashes }, checked));
    const chapters = given.chapters ? facts.chapters : (prepared.video?.markers ?? []);
    options.signal.throwIfAborted();
    const release = await saveImported(
      prepared,
      { facts: { ...facts, chapters }, photoFacts, photoIds },
      options,
    );
    seen.add(contentHash);
    return newResults(item, release, options);
  } catch (error) {
    // The files may belong to the import that has the lock now.
    if (options.signal.reason instanceof ImportLockLost) throw error;
    // If the connection was lost after the item was stored, the files are its own.
    const stored = await findImported(contentHash).catch(() => undefined);
    if (stored === null) await deleteMediaFiles(mediaId);
    throw error;
  }
}

function refusingFaults<Value>(label: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw asRefusal(label, error);
  }
}

/** A fault in a sidecar names the item that it describes. */
function asRefusal(label: string, error: unknown): unknown {
  return error instanceof FactsError ? new ImportRefusal(label, error.message) : error;
}

function newResults(
  { label, kind }: Found,
  { state, problem }: Release,
  { isDryRun }: ImportOptions,
): ImportResult[] {
  const result = { outcome: isDryRun ? ("wouldImport" as const) : ("imported" as const), label, state, kind };
  return problem === null ? [result] : [result, { outcome: "notPublished", label, reason: problem }];
}

function updateResults(
  label: string,
  { changed, kept, release }: Updated,
  { isDryRun }: ImportOptions,
  nameOf: (field: string) => string,
): ImportResult[] {
  const results: ImportResult[] = [];
  if (changed.length > 0) {
    results.push({ outcome: isDryRun ? "wouldUpdate" : "updated", label, fields: changed.map(nameOf) });
  }
  if (release?.problem === null) {
    results.push({ outcome: isDryRun ? "wouldRelease" : "released", label, state: release.state });
  }
  if (results.length === 0) results.push({ outcome: "present", label });
  if (release !== null && release.problem !== null) {
    results.push({ outcome: "notPublished", label, reason: release.problem });
  }
  for (const { field, reason } of kept) {
    results.push({ outcome: "kept", label, reason: `${nameOf(field)}: ${reason}` });
  }
  return results;
}

async function dryRunRelease(
  { publishAt, expireAt }: Facts,
  { isPublishing }: ImportOptions,
): Promise<Release> {
  if (!isPublishing) return { state: "draft", problem: null };
  const now = await readDatabaseTime();
  const { name, details } = releaseFor(publishAt, now);
  const expiry = expireAt === null ? null : new Date(expireAt);
  const problem = publicationProblem({ hasContents: true, expireAt: expiry, now }, details.publishAt);
  if (problem !== null) return { state: "draft", problem };
  return { state: name === "schedule" ? "scheduled" : "published", problem };
}

async function hashContent(item: Found, signal: AbortSignal) {
  if (item.kind === "video") {
    const contentHash = await readSource(item.label, () => hashFile(item.path, signal));
    return { contentHash, photoHashes: [] };
  }
  const photoHashes: string[] = [];
  for (const path of item.paths) {
    photoHashes.push(await readSource(join(item.label, basename(path)), () => hashFile(path, signal)));
  }
  return { contentHash: combineHashes(photoHashes), photoHashes };
}

function creatorsOf({ sidecar }: Found, { creator }: ImportOptions): string[] {
  return sidecar.creators ?? (creator === null ? [] : [creator]);
}

function defaultFacts(item: Found, options: ImportOptions): Facts {
  return {
    title: titleOf(item),
    description: "",
    creators: creatorsOf(item, options),
    tags: [],
    producedOn: null,
    publishAt: null,
    expireAt: null,
    access: options.access,
    allowDownload: false,
    shoot: null,
    chapters: [],
  };
}

function titleOf({ kind, label }: Found): string {
  const name = basename(label);
  const words = (kind === "video" ? stemOf(name) : name).replace(/[_-]+/g, " ");
  return nameFromFile(words, ITEM_LIMITS.title) || "Untitled";
}
