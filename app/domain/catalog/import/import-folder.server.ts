import { basename, extname, join } from "node:path";
import { config } from "#app/config.server.ts";
import type { Access } from "#app/domain/access/access.ts";
import { combineHashes, hashFile, mediaIdOf } from "#app/domain/media/intake/content-id.server.ts";
import {
  checkPhotoFiles,
  checkPhotoSet,
  preparePhotoSet,
} from "#app/domain/media/intake/prepare-photo-set.server.ts";
import { checkVideo, checkVideoSize, prepareVideo } from "#app/domain/media/intake/prepare-video.server.ts";
import { Refusal, readSource } from "#app/domain/media/intake/refusal.ts";
import { type Found, scanFolder } from "#app/domain/media/intake/scan.server.ts";
import { sweepTemporary } from "#app/domain/media/storage/temporary.server.ts";
import { deleteMediaFiles } from "#app/domain/media/store-file.server.ts";
import { VideoError } from "#app/domain/media/video/probe.server.ts";
import { cutText } from "#app/texts.ts";
import { type ImportedFacts, isImported, saveImported } from "./import.server.ts";

export interface ImportOptions {
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
  | { outcome: "refused"; label: string; reason: string };

/** One item after the other; a refused one leaves nothing behind and does not stop the rest. Throws when aborted. */
export async function importFolder(folder: string, options: ImportOptions): Promise<void> {
  const { found, refused } = await scanFolder(folder);
  if (!options.isDryRun) await sweepTemporary(config.media.dir);
  for (const { path, message } of refused) {
    options.onResult({ outcome: "refused", label: path, reason: message });
  }
  for (const [index, item] of found.entries()) {
    options.signal.throwIfAborted();
    const onProgress = (part: number) =>
      options.onProgress({ index, total: found.length, label: item.label, part });
    onProgress(0);
    try {
      options.onResult({ outcome: await importItem(item, onProgress, options), label: item.label });
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof Refusal) {
        options.onResult({ outcome: "refused", label: error.path, reason: error.message });
      } else if (error instanceof VideoError) {
        options.onResult({ outcome: "refused", label: item.label, reason: error.message });
      } else throw error;
    }
  }
}

async function importItem(item: Found, onProgress: (part: number) => void, options: ImportOptions) {
  const { signal, isDryRun } = options;
  await (item.kind === "video" ? checkVideoSize(item) : checkPhotoFiles(item));
  const contentHash = await hashContent(item, signal);
  if (await isImported(contentHash)) return "present";
  if (isDryRun) {
    await (item.kind === "video" ? checkVideo(item, signal) : checkPhotoSet(item, signal));
    return "wouldImport";
  }
  // A killed run may have left files that this one, with another sidecar, would not replace.
  await deleteMediaFiles(mediaIdOf(contentHash));
  try {
    const work = { signal, onProgress };
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
  const name = basename(label, kind === "video" ? extname(label) : "");
  return cutText(name.replace(/[_-]+/g, " ").trim(), 200) || "Untitled";
}
