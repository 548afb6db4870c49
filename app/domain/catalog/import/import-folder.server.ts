import { basename, join } from "node:path";
import { config } from "#app/config.server.ts";
import type { Access } from "#app/domain/access/access.ts";
import { combineHashes, hashFile, mediaIdOf } from "#app/domain/media/intake/content-id.server.ts";
import { stemOf } from "#app/domain/media/intake/file-kinds.server.ts";
import type { PrepareOptions } from "#app/domain/media/intake/prepare.ts";
import {
  checkPhotoFiles,
  checkPhotoSet,
  preparePhotoSet,
} from "#app/domain/media/intake/prepare-photo-set.server.ts";
import {
  checkVideoSize,
  prepareVideo,
  rehearseVideo,
} from "#app/domain/media/intake/prepare-video.server.ts";
import { Refusal, readSource, refusalOf } from "#app/domain/media/intake/refusal.ts";
import { type Found, scanFolder } from "#app/domain/media/intake/scan.server.ts";
import { ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { deleteMediaFiles } from "#app/domain/media/store-file.server.ts";
import { paths } from "#app/paths.ts";
import { cutText } from "#app/texts.ts";
import { checkDatabase, findImported, type ImportedFacts, saveImported } from "./save-imported.server.ts";

interface ImportOptions {
  isDryRun: boolean;
  access: Access;
  creator: string | null;
  signal: AbortSignal;
  /** `part` of item `index` of `total`, 0 to 1. */
  onProgress: (progress: { index: number; total: number; label: string; part: number }) => void;
  onResult: (result: ImportResult) => void;
}

export type ImportResult =
  | { outcome: "imported" | "present" | "wouldImport"; label: string }
  | { outcome: "refused" | "passedOver" | "warning"; label: string; reason: string };

/**
 * One item after the other. A refused one leaves nothing behind and does not stop the rest, whatever its error is. Throws
 * when aborted, and when the database is gone. Resolves with the names that taken items credit.
 */
export async function importFolder(folder: string, options: ImportOptions): Promise<{ credited: string[] }> {
  const { found, refused, passedOver } = await scanFolder(folder);
  if (!options.isDryRun) await sweepTemporary(config.media.dir);
  for (const each of passedOver) options.onResult({ outcome: "passedOver", ...each });
  for (const { path, message } of refused) {
    options.onResult({ outcome: "refused", label: path, reason: message });
  }
  const credited: string[] = [];
  const seen = new Set<string>();
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
      const outcome = await importItem(item, seen, work, options);
      if (outcome !== "present") credited.push(...factsOf(item, options).creators);
      options.onResult({ outcome, label: item.label });
      for (const each of warnings) options.onResult({ outcome: "warning", ...each });
    } catch (error) {
      options.signal.throwIfAborted();
      const { path, message } = refusalOf(error, item.label);
      options.onResult({ outcome: "refused", label: path, reason: message });
      // Without it every other item would be refused as well, after it has been read.
      await checkDatabase();
    }
  }
  return { credited };
}

/** `seen` holds the hashes of this run: an identical file is already there the second time, in a dry run as well. */
async function importItem(item: Found, seen: Set<string>, work: PrepareOptions, options: ImportOptions) {
  await (item.kind === "video" ? checkVideoSize(item) : checkPhotoFiles(item));
  const contentHash = await hashContent(item, work.signal);
  const known = await findImported(contentHash);
  if (known?.isDeleted) {
    throw new Refusal(
      item.label,
      `it was deleted from this site, and stays out: ${config.origin}${paths.studioItem(known.id)}`,
    );
  }
  if (seen.has(contentHash) || known) return "present";
  if (options.isDryRun) {
    await (item.kind === "video" ? rehearseVideo(item, work) : checkPhotoSet(item, work));
    seen.add(contentHash);
    return "wouldImport";
  }
  // A killed run may have left files that this one, with another sidecar, would not replace.
  await deleteMediaFiles(mediaIdOf(contentHash));
  try {
    const prepared = await (item.kind === "video"
      ? prepareVideo(item, contentHash, work)
      : preparePhotoSet(item, contentHash, work));
    await saveImported(prepared, factsOf(item, options));
    return "imported";
  } catch (error) {
    await deleteMediaFiles(mediaIdOf(contentHash));
    throw error;
  }
}

async function hashContent(item: Found, signal: AbortSignal): Promise<string> {
  if (item.kind === "video") return readSource(item.label, () => hashFile(item.path, signal));
  const hashes = [];
  for (const path of item.paths) {
    hashes.push(await readSource(join(item.label, basename(path)), () => hashFile(path, signal)));
  }
  return combineHashes(hashes);
}

function factsOf(item: Found, { access, creator }: ImportOptions): ImportedFacts {
  const { sidecar } = item;
  return {
    title: sidecar.title ?? titleOf(item),
    description: sidecar.description ?? "",
    creators: sidecar.creators ?? (creator === null ? [] : [creator]),
    tags: sidecar.tags ?? [],
    publishAt: sidecar.date ?? null,
    access: sidecar.access ?? access,
  };
}

function titleOf({ kind, label }: Found): string {
  const name = basename(label).normalize("NFC");
  const words = (kind === "video" ? stemOf(name) : name).replace(/[_-]+/g, " ").trim();
  return cutText(words, ITEM_LIMITS.title) || "Untitled";
}
