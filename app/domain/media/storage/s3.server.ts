import { createWriteStream } from "node:fs";
import { rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import type { S3Settings } from "#app/config/s3-settings.ts";
import { DISK_RESERVE_BYTES, noSpace } from "./disk-full.ts";
import { signedAddress } from "./s3-address.server.ts";
import { connectStore } from "./s3-client.server.ts";
import { abortAbandoned, deleteBelow, deleteObject, entriesBelow } from "./s3-entries.server.ts";
import { headOf, readObject } from "./s3-read.server.ts";
import { upload } from "./s3-upload.server.ts";
import { assertStorageKey, type MediaStorage, MissingObjectError, type StorageEntry } from "./storage.ts";

const LIST_LIMIT = 100;

/** An object is there whole or not at all, as S3 promises it. A first answer that takes longer than 8 s is a StorageUnavailableError. */
export function s3Storage(settings: S3Settings): MediaStorage {
  const store = connectStore(settings);
  const objectOf = (key: string) => {
    assertStorageKey(key);
    return { Bucket: settings.bucket, Key: settings.prefix + key };
  };
  const belowOf = (folder: string) => ({ ...objectOf(folder), Key: `${objectOf(folder).Key}/` });

  const storage: MediaStorage = {
    place: "store",

    async put(key, source) {
      const stored = await upload(store, objectOf(key), source);
      if ("path" in source && source.move) await rm(source.path);
      return stored;
    },

    open: async (key, range) => readObject(store, objectOf(key), range),

    read(key) {
      return unlessMissing(async () => (await buffer(await storage.open(key))) as Buffer<ArrayBuffer>);
    },

    head(key) {
      return unlessMissing(async () => ({ bytes: (await headOf(store, objectOf(key))).bytes }));
    },

    /** The row is trusted: asking would cost each file a second request. */
    isPresent: () => Promise.resolve(true),

    addressOf(key) {
      return signedAddress(store, objectOf(key));
    },

    async fileOf(key, folder) {
      const path = join(folder, key.replaceAll("/", "_"));
      if ((await stat(path).catch(() => null)) !== null) return path;
      const found = await storage.head(key);
      if (found === null) return null;
      const { bavail, bsize } = await statfs(folder);
      if (bavail * bsize < found.bytes + DISK_RESERVE_BYTES) throw noSpace();
      const partial = `${path}.part`;
      await pipeline(await storage.open(key), createWriteStream(partial));
      await rename(partial, path);
      return path;
    },

    async list(folder, { limit = LIST_LIMIT, offset = 0, search = "" } = {}) {
      const entries: StorageEntry[] = [];
      for await (const entry of entriesBelow(store, belowOf(folder), search)) entries.push(entry);
      return entries.sort((one, other) => (one.name < other.name ? -1 : 1)).slice(offset, offset + limit);
    },

    entries(folder) {
      return entriesBelow(store, belowOf(folder));
    },

    delete(key) {
      return deleteObject(store, objectOf(key));
    },

    deleteFolder(folder) {
      return deleteBelow(store, belowOf(folder));
    },

    async deleteOthers(folder, name) {
      for await (const other of storage.entries(folder)) {
        if (other.name === name) continue;
        const key = `${folder}/${other.name}`;
        await (other.bytes === null ? storage.deleteFolder(key) : storage.delete(key));
      }
    },

    deleteUnfinished() {
      return abortAbandoned(store, { Bucket: settings.bucket, Key: settings.prefix });
    },
  };
  return storage;
}

async function unlessMissing<Found>(find: () => Promise<Found>): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof MissingObjectError) return null;
    throw error;
  }
}
