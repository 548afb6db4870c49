import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { GetObjectCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import type { Store, StoredAt } from "./s3-client.server.ts";
import { failureOf, inTime } from "./s3-failures.ts";
import { type ByteRange, StorageUnavailableError } from "./storage.ts";

const SILENCE_MS = 10_000;
/** Without a byte. A gateway that restarts needs some seconds. */
const GIVE_UP_MS = 30_000;
const PAUSE_MS = 500;

/** The ETag is the MD5 of the bytes, or of the MD5s of the parts, at most stores. */
export async function headOf({ client }: Store, object: StoredAt): Promise<{ bytes: number; tag: string }> {
  const found = await inTime((abortSignal) => client.send(new HeadObjectCommand(object), { abortSignal }));
  return { bytes: found.ContentLength ?? 0, tag: found.ETag ?? "" };
}

/** The first answer comes before anything is read, so that a missing object is known as such. */
export async function readObject(store: Store, object: StoredAt, range?: ByteRange): Promise<Readable> {
  const start = range?.start ?? 0;
  const first = await readPart(store, object, start, range?.end);
  let hasBegun = false;
  const chunks = async function* () {
    hasBegun = true;
    yield* partsOf(store, object, first, start);
  };
  // A generator that has not begun runs none of its code when it is ended.
  return Readable.from(chunks(), { objectMode: false }).once("close", () => {
    if (!hasBegun) first.body.destroy();
  });
}

interface Part {
  body: Readable;
  chunks: AsyncIterator<Buffer>;
  /** Inclusive. */
  end: number;
  tag: string;
}

async function readPart(
  { client }: Store,
  object: StoredAt,
  start: number,
  end?: number,
  tag?: string,
): Promise<Part> {
  const isWhole = start === 0 && end === undefined;
  const command = new GetObjectCommand({
    ...object,
    ...(isWhole ? {} : { Range: `bytes=${start}-${end ?? ""}` }),
    ...(tag === undefined ? {} : { IfMatch: tag }),
  });
  const found = await inTime((abortSignal) => client.send(command, { abortSignal }));
  const { ContentLength: bytes, ContentRange = "", ETag = "" } = found;
  const body = found.Body as Readable;
  // Some answer a range with the whole object, and a proxy may leave the length out.
  if (bytes === undefined || (!isWhole && !ContentRange.startsWith(`bytes ${start}-`))) {
    body.destroy();
    throw new StorageUnavailableError("The object store does not send what it was asked for");
  }
  return { body, chunks: body[Symbol.asyncIterator](), end: start + bytes - 1, tag: ETag };
}

/** Goes on where the store cut a stream or fell silent. A replaced object fails instead of becoming a mixture. */
async function* partsOf(store: Store, object: StoredAt, first: Part, start: number): AsyncGenerator<Buffer> {
  const { end, tag } = first;
  let part: Part | null = first;
  let position = start;
  let failedSince: number | null = null;
  try {
    while (position <= end) {
      const chunk = part === null ? new Error("cut") : await nextChunk(part);
      if (chunk instanceof Buffer) {
        failedSince = null;
        position += chunk.byteLength;
        yield chunk;
        continue;
      }
      part?.body.destroy();
      failedSince ??= performance.now();
      if (performance.now() - failedSince > GIVE_UP_MS) throw failureOf(chunk);
      await setTimeout(PAUSE_MS);
      part = await readPart(store, object, position, end, tag).catch(nullWhenAway);
    }
    // Read to its end, the connection serves the next request.
    part?.body.resume();
  } finally {
    if (position <= end) part?.body.destroy();
  }
}

function nullWhenAway(error: unknown): null {
  if (error instanceof StorageUnavailableError && !error.isRefusal) return null;
  throw error;
}

async function nextChunk({ body, chunks }: Part): Promise<Buffer | Error> {
  const timer = globalThis.setTimeout(() => body.destroy(new Error("silent")), SILENCE_MS);
  try {
    const { value, done } = await chunks.next();
    return done ? new Error("cut") : value;
  } catch (error) {
    return error as Error;
  } finally {
    clearTimeout(timer);
  }
}
