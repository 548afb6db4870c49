import type { Readable } from "node:stream";
import { parse } from "range-parser";
import type { Checksums } from "./checksums.server.ts";

/** Where a file is stored: in the data folder, or in the object store that STORAGE names. */
export const STORAGE_PLACES = ["folder", "store"] as const;
export type StoragePlace = (typeof STORAGE_PLACES)[number];

export interface StoredAt {
  storage: StoragePlace;
  storageKey: string;
}

/** Keys consist of ids and names from renditions.ts, never of user input. */
export interface MediaStorage {
  readonly place: StoragePlace;
  /** Atomic: no reader sees half of it. Replaces an existing object. */
  put(key: string, source: StorageSource): Promise<StoredObject>;
  /** `range` in bytes, both ends inclusive. Destroying the stream frees its resources. Throws a MissingObjectError. */
  open(key: string, range?: ByteRange): Promise<Readable>;
  read(key: string): Promise<Buffer<ArrayBuffer> | null>;
  head(key: string): Promise<{ bytes: number } | null>;
  /** False for a missing object or another length, as far as this is known without asking another computer. */
  isPresent(key: string, bytes: number): Promise<boolean>;
  /** Where nginx gets the object within the next minute; null when it reads the folder. */
  addressOf(key: string): Promise<SignedAddress | null>;
  /** A file for programs that read no streams: a copy in `folder`, or the object itself, which must not be changed. */
  fileOf(key: string, folder: string): Promise<string | null>;
  /** Objects and folders directly below `folder`, by name. Fewer than `limit` mean the end; a missing folder has none. */
  list(folder: string, options?: ListOptions): Promise<StorageEntry[]>;
  /** All of them, in any order, while others are stored and deleted. */
  entries(folder: string): AsyncIterable<StorageEntry>;
  /** One object; it may be gone already. */
  delete(key: string): Promise<void>;
  deleteFolder(prefix: string): Promise<void>;
  /** Deletes everything directly below `prefix/` except `name`. */
  deleteOthers(prefix: string, name: string): Promise<void>;
  /** What writes left a day ago that were interrupted. Returns how many. */
  deleteUnfinished(): Promise<number>;
}

/** Bytes, a stream of them, or a file that is copied; with `move` it is gone afterwards. */
export type StorageSource = Uint8Array | Readable | { path: string; move?: boolean };

export interface SignedAddress {
  url: string;
  /** For the Host header, because `url` has an IP address. */
  host: string;
}

/** docs/specification.md asks for `offset` and `search`, which nothing uses yet. */
interface ListOptions {
  /** 100 when omitted. */
  limit?: number;
  offset?: number;
  search?: string;
}

export interface StorageEntry {
  name: string;
  bytes: number | null;
}

export interface ByteRange {
  start: number;
  end: number;
}

export interface StoredObject extends Checksums {
  bytes: number;
  storage: StoragePlace;
}

export class StorageKeyError extends Error {}

export class MissingObjectError extends Error {
  override readonly name = "MissingObjectError";
}

/** The store is away, too slow or refuses. Nothing in it names a key. */
export class StorageUnavailableError extends Error {
  override readonly name = "StorageUnavailableError";
  /** The store's own word, such as QuotaExceeded. */
  readonly reason: string;
  /** Waiting does not help: the key, the bucket or its room is at fault. */
  readonly isRefusal: boolean;

  constructor(message: string, { reason = "", isRefusal = false } = {}) {
    super(message);
    this.reason = reason;
    this.isRefusal = isRefusal;
  }
}

const KEY = /^[A-Za-z0-9][\w.-]*(?:\/[A-Za-z0-9][\w.-]*)*$/;
const KEY_LENGTH_LIMIT = 200;

export function isStorageKey(key: string): boolean {
  return key.length <= KEY_LENGTH_LIMIT && KEY.test(key);
}

/** Throws a StorageKeyError for anything that could lead outside the root. */
export function assertStorageKey(key: string): void {
  if (!isStorageKey(key)) throw new StorageKeyError("Not a storage key");
}

const MALFORMED = 1;

/** "whole" also for several ranges and an unreadable header: RFC 9110 lets a server ignore those. */
export function readRange(header: string | null, size: number): ByteRange | "whole" | "unsatisfiable" {
  if (header === null || header.includes(",")) return "whole";
  const { code, type, ranges } = parse(size, header);
  if (code === MALFORMED || type !== "bytes") return "whole";
  const [range] = ranges;
  return range ?? "unsatisfiable";
}
