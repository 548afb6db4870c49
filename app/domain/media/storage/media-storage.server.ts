import { config } from "#app/config.server.ts";
import { readChecksums } from "./checksums.server.ts";
import { localStorage } from "./local.server.ts";
import { type MediaStorage, type StoragePlace, StorageUnavailableError, type StoredAt } from "./storage.ts";

const NO_STORE = "Some files are in an object store: set STORAGE as it was when they were stored";

const folder = localStorage(config.media.dir);
const store = await connectStore();

/** Where new files go. */
export const mediaStorage: MediaStorage =
  config.media.storesIn === "store" && store !== null ? store : folder;

const otherStorage = mediaStorage === folder ? store : folder;

/** The first is for new files. Files that are moved may be in both. */
export const everyStorage: MediaStorage[] =
  otherStorage === null ? [mediaStorage] : [mediaStorage, otherStorage];

export function storageOf(place: StoragePlace): MediaStorage {
  if (place === "folder") return folder;
  if (store === null) throw new StorageUnavailableError(NO_STORE);
  return store;
}

/** For files without a row. */
export async function findStored(storageKey: string): Promise<(StoredAt & { bytes: number }) | null> {
  for (const storage of everyStorage) {
    const found = await storage.head(storageKey);
    if (found !== null) return { storage: storage.place, storageKey, bytes: found.bytes };
  }
  return null;
}

export async function deleteStored(storageKey: string): Promise<void> {
  for (const storage of everyStorage) await storage.delete(storageKey);
}

export async function deleteStoredFolder(prefix: string): Promise<void> {
  for (const storage of everyStorage) await storage.deleteFolder(prefix);
}

interface StoredKey {
  storageKey: string;
  bytes: number;
}

export async function* objectsBelow(prefix: string, storage = mediaStorage): AsyncGenerator<StoredKey> {
  for await (const { name, bytes } of storage.entries(prefix)) {
    const storageKey = `${prefix}/${name}`;
    if (bytes === null) yield* objectsBelow(storageKey, storage);
    else yield { storageKey, bytes };
  }
}

/**
 * Answers in bytes, null for a missing object. One listing tells the sizes of an item's files, and a request for each of
 * them would take hours, so files of the same item should follow each other.
 */
export function listedSizes(): (file: StoredAt) => Promise<number | null> {
  let listed = "";
  let sizes = new Map<string, number>();
  return async ({ storage: place, storageKey }) => {
    const storage = storageOf(place);
    const folder = storageKey.split("/", 2).join("/");
    if (`${place} ${folder}` !== listed) {
      sizes = new Map();
      for await (const found of objectsBelow(folder, storage)) sizes.set(found.storageKey, found.bytes);
      listed = `${place} ${folder}`;
    }
    // It may have been stored since.
    return sizes.get(storageKey) ?? (await storage.head(storageKey))?.bytes ?? null;
  };
}

export async function hashOf({ storage, storageKey }: StoredAt): Promise<string> {
  return (await readChecksums(await storageOf(storage).open(storageKey))).sha256;
}

async function connectStore(): Promise<MediaStorage | null> {
  if (config.media.s3 === null) return null;
  // Its client takes 20 MB of memory and a tenth of a second.
  const { s3Storage } = await import("./s3.server.ts");
  return s3Storage(config.media.s3);
}
