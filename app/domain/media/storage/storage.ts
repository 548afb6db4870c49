import type { Readable } from "node:stream";

/** Where the bytes lie. Keys are made of ids and of names from renditions.ts, never of what people typed. */
export interface MediaStorage {
  /** All or nothing: a reader never meets half of it. Replaces what is there. */
  put(key: string, source: StorageSource): Promise<StoredObject>;
  /** `range` in bytes, both ends inclusive. Destroying the stream frees everything it holds. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  /** Null when there is no such object. */
  head(key: string): Promise<{ bytes: number } | null>;
  /** Everything below `prefix/`. */
  deleteFolder(prefix: string): Promise<void>;
  /** What lies directly below `prefix/` and is not called `name`. */
  deleteOthers(prefix: string, name: string): Promise<void>;
}

/** Bytes, or a file that is copied; with `move` the file is gone afterwards. */
export type StorageSource = Uint8Array | { path: string; move?: boolean };

export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject {
  bytes: number;
  /** Hex. */
  sha256: string;
}

export class StorageKeyError extends Error {}

const KEY = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;
const KEY_LENGTH_LIMIT = 200;

/** Throws a StorageKeyError for anything that could mean another place than the one below the root. */
export function assertStorageKey(key: string): void {
  if (key.length > KEY_LENGTH_LIMIT || !KEY.test(key)) throw new StorageKeyError("Not a storage key");
}
