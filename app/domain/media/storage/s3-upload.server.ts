import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { Upload } from "@aws-sdk/lib-storage";
import type { Store, StoredAt } from "./s3-client.server.ts";
import { ANSWER_MS, failureOf } from "./s3-failures.ts";
import { headOf } from "./s3-read.server.ts";
import { type StorageSource, StorageUnavailableError, type StoredObject } from "./storage.ts";

/** S3 takes 10,000 parts, so a file has at most 160 GB. */
const PART_BYTES = 16 * 1024 * 1024;
const PARTS_AT_ONCE = 2;

/** What was made and is moved may have taken hours. */
const PATIENCE_MS = 3 * 60_000;
const PAUSE_MS = 5_000;

export async function upload(store: Store, object: StoredAt, source: StorageSource): Promise<StoredObject> {
  const isPatient = !(source instanceof Uint8Array) && "path" in source && source.move === true;
  for (const startedAt = performance.now(); ; await setTimeout(PAUSE_MS)) {
    try {
      return await uploadOnce(store, object, source);
    } catch (error) {
      const isAway = error instanceof StorageUnavailableError && !error.isRefusal;
      if (!isPatient || !isAway || performance.now() - startedAt > PATIENCE_MS) throw error;
    }
  }
}

/** Smaller files go in one request. Aborts what it cannot finish. */
async function uploadOnce(store: Store, object: StoredAt, source: StorageSource): Promise<StoredObject> {
  const tally = new Tally();
  const body = Readable.from(tally.count(chunksOf(source)), { objectMode: false, highWaterMark: 1 });
  const abortController = new AbortController();
  // Somebody waits for a picture. A file of a machine's own may take as long as its parts do.
  const late = source instanceof Uint8Array ? ANSWER_MS : null;
  const timer = late === null ? null : globalThis.setTimeout(() => abortController.abort(), late);
  try {
    const params = { ...object, Body: body };
    const options = { partSize: PART_BYTES, queueSize: PARTS_AT_ONCE, abortController };
    await new Upload({ client: store.client, params, ...options }).done();
  } catch (error) {
    if (tally.failure !== null) throw tally.failure;
    // The answer may have been lost after the object was stored.
    const isKnown = tally.isWhole && !abortController.signal.aborted;
    const found = isKnown ? await headOf(store, object).catch(() => null) : null;
    if (found?.bytes !== tally.bytes || found.tag !== tally.tag()) throw failureOf(error);
  } finally {
    if (timer !== null) clearTimeout(timer);
    body.destroy();
  }
  return { bytes: tally.bytes, storage: "store", ...tally.checksums() };
}

/** Sums up what passes, and what the store makes of it. */
class Tally {
  bytes = 0;
  isWhole = false;
  /** Of the source. */
  failure: unknown = null;
  readonly #sha256 = createHash("sha256");
  #crc32 = 0;
  readonly #parts: Buffer[] = [];
  #part = createHash("md5");
  #partBytes = 0;

  async *count(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        this.#add(chunk);
        yield chunk;
      }
      this.isWhole = true;
    } catch (error) {
      this.failure = error;
      throw error;
    }
  }

  checksums() {
    return { sha256: this.#sha256.copy().digest("hex"), crc32: this.#crc32 };
  }

  /** As S3 forms it for an object without encryption of its own. */
  tag(): string {
    const last = this.#part.copy().digest();
    if (this.#parts.length === 0) return `"${last.toString("hex")}"`;
    const parts = this.#partBytes === 0 ? this.#parts : [...this.#parts, last];
    return `"${createHash("md5").update(Buffer.concat(parts)).digest("hex")}-${parts.length}"`;
  }

  #add(chunk: Uint8Array): void {
    this.bytes += chunk.byteLength;
    this.#sha256.update(chunk);
    this.#crc32 = crc32(chunk, this.#crc32);
    for (let from = 0; from < chunk.byteLength; ) {
      const piece = chunk.subarray(from, from + PART_BYTES - this.#partBytes);
      this.#part.update(piece);
      this.#partBytes += piece.byteLength;
      from += piece.byteLength;
      if (this.#partBytes < PART_BYTES) continue;
      this.#parts.push(this.#part.digest());
      this.#part = createHash("md5");
      this.#partBytes = 0;
    }
  }
}

function chunksOf(source: StorageSource): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  if (source instanceof Uint8Array) return [source];
  return "path" in source ? createReadStream(source.path) : source;
}
