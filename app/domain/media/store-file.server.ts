import type { Right } from "#app/domain/access/access.ts";
import { fileNames, sizeOf } from "./renditions.ts";
import { deleteStoredFolder, mediaStorage } from "./storage/media-storage.server.ts";
import type { StoragePlace, StorageSource, StoredObject } from "./storage/storage.ts";

interface StoredFile {
  name: string;
  storageKey: string;
  storage: StoragePlace;
  contentType: string;
  bytes: number;
  sha256: string;
}

/** `version`: from claimFileVersion(); 0 for an item's first files. */
export interface MediaOwner {
  mediaId: string;
  version?: number | undefined;
}

export interface MediaFileRow extends StoredFile {
  mediaId: string;
  version: number;
  crc32: number;
  needs: Right;
  width?: number;
  height?: number;
  language?: string;
  label?: string;
  /** Of a playlist: the highest bits per second of its segments, and its codecs. */
  bandwidth?: number;
  codecs?: string;
}

export interface CreatorFileRow extends StoredFile {
  creatorId: string;
  width: number;
  height: number;
}

type MediaFileFacts = Omit<MediaFileRow, "version" | "storageKey" | keyof StoredObject> & MediaOwner;
type CreatorFileFacts = Omit<CreatorFileRow, "storageKey" | "storage" | "bytes" | "sha256">;

export async function storeMediaFile(
  source: StorageSource,
  { version = 0, ...facts }: MediaFileFacts,
): Promise<MediaFileRow> {
  const storageKey = mediaKey(facts.mediaId, facts.name, version);
  return { ...facts, version, storageKey, ...(await mediaStorage.put(storageKey, source)) };
}

/** Earlier files are served until the rows change. */
export async function storeCreatorFile(
  source: StorageSource,
  facts: CreatorFileFacts,
  version: string,
): Promise<CreatorFileRow> {
  const storageKey = `${creatorFolder(facts.creatorId)}/${version}/${facts.name}`;
  const { bytes, sha256, storage } = await mediaStorage.put(storageKey, source);
  return { ...facts, storageKey, storage, bytes, sha256 };
}

/** How long replaced files stay, because web processes remember for five seconds where files are. */
export const FILES_STAY_SECONDS = 60;

/** Deletes files and originals; the caller deletes the rows. */
export async function deleteMediaFiles(mediaId: string): Promise<void> {
  await deleteStoredFolder(mediaFolder(mediaId));
  await deleteStoredFolder(`${ORIGINALS_FOLDER}/${mediaId}`);
}

export async function deleteFileVersion(mediaId: string, version: number): Promise<void> {
  if (version > 0) await deleteStoredFolder(`${mediaFolder(mediaId)}/${version}`);
}

export async function deleteCreatorFiles(creatorId: string, version: string | null): Promise<void> {
  await deleteStoredFolder([creatorFolder(creatorId), ...(version === null ? [] : [version])].join("/"));
}

/** Outside what /media serves. `photoNumber`: null for a video. `version`: of a photo that the studio imported. */
export function originalKey(mediaId: string, photoNumber: number | null, version = 0): string {
  const name = [photoNumber ?? 1, ...(version === 0 ? [] : [version])].join("-");
  return `${ORIGINALS_FOLDER}/${mediaId}/${name}`;
}

export const ORIGINALS_FOLDER = "originals";

export function avatarFolder(userId: string): string {
  return `avatars/${userId}`;
}

function creatorFolder(creatorId: string): string {
  return `creators/${creatorId}`;
}

function mediaKey(mediaId: string, name: string, version: number): string {
  return [mediaFolder(mediaId), ...(version === 0 ? [] : [version]), name].join("/");
}

function mediaFolder(mediaId: string): string {
  return `media/${mediaId}`;
}

export function storeVideoFile(
  source: StorageSource,
  { mediaId, version, width, height }: MediaOwner & { width: number; height: number },
): Promise<MediaFileRow> {
  const facts = {
    name: fileNames.video(sizeOf({ width, height })),
    contentType: "video/mp4",
    needs: "view",
  } as const;
  return storeMediaFile(source, { mediaId, version, ...facts, width, height });
}

export function storeCaptions(
  vtt: string,
  { mediaId, version, language, label }: MediaOwner & { language: string; label: string },
): Promise<MediaFileRow> {
  const facts = {
    name: fileNames.captions(language),
    contentType: "text/vtt; charset=utf-8",
    needs: "view",
  } as const;
  return storeMediaFile(Buffer.from(vtt), { mediaId, version, ...facts, language, label });
}
