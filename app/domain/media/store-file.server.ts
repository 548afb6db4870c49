import type { creatorFiles, mediaFiles } from "#db/schema/catalog.ts";
import { mediaStorage } from "./storage/media-storage.server.ts";
import type { StorageSource } from "./storage/storage.ts";

export type MediaFileRow = typeof mediaFiles.$inferInsert;
export type CreatorFileRow = typeof creatorFiles.$inferInsert;

type MediaFileFacts = Omit<MediaFileRow, "storageKey" | "bytes" | "sha256">;
type CreatorFileFacts = Omit<CreatorFileRow, "storageKey" | "bytes" | "sha256">;

export async function storeMediaFile(source: StorageSource, facts: MediaFileFacts): Promise<MediaFileRow> {
  const storageKey = `${mediaFolder(facts.mediaId)}/${facts.name}`;
  return { ...facts, storageKey, ...(await mediaStorage.put(storageKey, source)) };
}

/** `version` separates the files from earlier ones, which are served until the rows change. */
export async function storeCreatorFile(
  source: StorageSource,
  facts: CreatorFileFacts,
  version: string,
): Promise<CreatorFileRow> {
  const storageKey = `${creatorFolder(facts.creatorId)}/${version}/${facts.name}`;
  return { ...facts, storageKey, ...(await mediaStorage.put(storageKey, source)) };
}

/** Deletes only files; the caller deletes the rows. */
export async function deleteMediaFiles(mediaId: string): Promise<void> {
  await mediaStorage.deleteFolder(mediaFolder(mediaId));
}

export async function deleteOlderCreatorFiles(creatorId: string, version: string): Promise<void> {
  await mediaStorage.deleteOthers(creatorFolder(creatorId), version);
}

function creatorFolder(creatorId: string): string {
  return `creators/${creatorId}`;
}

function mediaFolder(mediaId: string): string {
  return `media/${mediaId}`;
}
