import type { Right } from "#app/domain/access/access.ts";
import { mediaStorage } from "./storage/media-storage.server.ts";
import type { StorageSource } from "./storage/storage.ts";

interface StoredFile {
  name: string;
  storageKey: string;
  contentType: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

export interface MediaFileRow extends StoredFile {
  mediaId: string;
  needs: Right;
  width?: number;
  height?: number;
  language?: string;
  label?: string;
}

export interface CreatorFileRow extends StoredFile {
  creatorId: string;
  width: number;
  height: number;
}

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
