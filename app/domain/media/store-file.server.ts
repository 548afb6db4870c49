import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Right } from "#app/domain/access/access.ts";
import { fileNames } from "./renditions.ts";
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

/** A file of this site's making: bytes, or a file that is copied or moved. */
type MadeSource = Exclude<StorageSource, Readable>;
export type StoreFile = (source: MadeSource, facts: MediaFileFacts) => Promise<MediaFileRow>;

/**
 * Stores a file beside the one that it will replace. Its key has a part of its hash: readers of the other go on, and a
 * repeated run overwrites what a killed one left.
 */
export async function storeRemadeFile(source: MadeSource, facts: MediaFileFacts): Promise<MediaFileRow> {
  const hash = createHash("sha256");
  if (source instanceof Uint8Array) hash.update(source);
  else await pipeline(createReadStream(source.path), hash);
  const storageKey = `${mediaFolder(facts.mediaId)}/${hash.digest("hex").slice(0, 16)}-${facts.name}`;
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

/** Deletes only files, the originals among them; the caller deletes the rows. */
export async function deleteMediaFiles(mediaId: string): Promise<void> {
  await mediaStorage.deleteFolder(mediaFolder(mediaId));
  await mediaStorage.deleteFolder(`${ORIGINALS_FOLDER}/${mediaId}`);
}

/** Those of one version; without one, every file of the creator. */
export async function deleteCreatorFiles(creatorId: string, version: string | null): Promise<void> {
  await mediaStorage.deleteFolder(
    [creatorFolder(creatorId), ...(version === null ? [] : [version])].join("/"),
  );
}

/** Apart from the files that /media serves. `photoNumber`: null for a video. */
export function originalKey(mediaId: string, photoNumber: number | null): string {
  return `${ORIGINALS_FOLDER}/${mediaId}/${photoNumber ?? 1}`;
}

export const ORIGINALS_FOLDER = "originals";

function creatorFolder(creatorId: string): string {
  return `creators/${creatorId}`;
}

function mediaFolder(mediaId: string): string {
  return `media/${mediaId}`;
}

/** An MP4 with faststart; sizes in pixels. */
export function storeVideoFile(
  source: MadeSource,
  { mediaId, width, height }: { mediaId: string; width: number; height: number },
  store: StoreFile = storeMediaFile,
): Promise<MediaFileRow> {
  const facts = {
    name: fileNames.video(Math.min(width, height)),
    contentType: "video/mp4",
    needs: "view",
  } as const;
  return store(source, { mediaId, ...facts, width, height });
}

export function storeCaptions(
  vtt: string,
  { mediaId, language, label }: { mediaId: string; language: string; label: string },
): Promise<MediaFileRow> {
  const facts = {
    name: fileNames.captions(language),
    contentType: "text/vtt; charset=utf-8",
    needs: "view",
  } as const;
  return storeMediaFile(Buffer.from(vtt), { mediaId, ...facts, language, label });
}
