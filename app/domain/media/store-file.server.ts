import type { creatorFiles, mediaFiles } from "#db/schema/catalog.ts";
import { mediaStorage } from "./storage/media-storage.server.ts";
import type { StorageSource } from "./storage/storage.ts";

/** Rows to insert once all files of a media or creator are in place. */
export type MediaFileRow = typeof mediaFiles.$inferInsert;
export type CreatorFileRow = typeof creatorFiles.$inferInsert;

type MediaFileFacts = Omit<MediaFileRow, "storageKey" | "bytes" | "sha256">;
type CreatorFileFacts = Omit<CreatorFileRow, "storageKey" | "bytes" | "sha256">;

export async function storeMediaFile(source: StorageSource, facts: MediaFileFacts): Promise<MediaFileRow> {
  const storageKey = `${mediaFolder(facts.mediaId)}/${facts.name}`;
  return { ...facts, storageKey, ...(await mediaStorage.put(storageKey, source)) };
}

/** `version`: apart from what has been there before, which is served until the rows say otherwise. */
export async function storeCreatorFile(
  source: StorageSource,
  facts: CreatorFileFacts,
  version: string,
): Promise<CreatorFileRow> {
  const storageKey = `${creatorFolder(facts.creatorId)}/${version}/${facts.name}`;
  return { ...facts, storageKey, ...(await mediaStorage.put(storageKey, source)) };
}

/** Every byte of one video or set. The rows are the caller's to delete. */
export async function deleteMediaFiles(mediaId: string): Promise<void> {
  await mediaStorage.deleteFolder(mediaFolder(mediaId));
}

/** Once the rows name the files of `version`. */
export async function deleteOlderCreatorFiles(creatorId: string, version: string): Promise<void> {
  await mediaStorage.deleteOthers(creatorFolder(creatorId), version);
}

function creatorFolder(creatorId: string): string {
  return `creators/${creatorId}`;
}

function mediaFolder(mediaId: string): string {
  return `media/${mediaId}`;
}
