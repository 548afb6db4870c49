import type { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { GetObjectCommand, HeadObjectCommand } from "@aws-sdk/client-s3";
import type { Store, StoredAt } from "./s3-client.server.ts";
import { answered, failureOf, inTime } from "./s3-failures.ts";
import type { ByteRange } from "./storage.ts";

/** Of a stream that the store cut, without a byte between them. */
const ATTEMPTS = 4;
const PAUSE_MS = 500;
const SILENCE_MS = 10_000;

/** The ETag is the MD5 of the bytes, or of the MD5s of the parts, at most stores. */
export async function headOf({ client }: Store, object: StoredAt): Promise<{ bytes: number; tag: string }> {
  const found = await answered(client.send(new HeadObjectCommand(object), inTime()));
  return { bytes: found.ContentLength ?? 0, tag: found.ETag ?? "" };
}

/** The first answer comes before anything is read, so that a missing object is known as such. */
export async function readObject(
  store: Store,
  object: StoredAt,
  range?: ByteRange,
): Promise<AsyncGenerator<Buffer>> {
  const first = await readPart(store, object, range?.start ?? 0, range?.end);
  return partsOf(store, object, first, range?.start ?? 0);
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
  const { ContentLength: bytes = 0, ETag = "", Body } = await answered(client.send(command, inTime()));
  const body = Body as Readable;
  return { body, chunks: body[Symbol.asyncIterator](), end: start + bytes - 1, tag: ETag };
}

/** Goes on where the store cut a stream or fell silent. A replaced object fails instead of becoming a mixture. */
async function* partsOf(store: Store, object: StoredAt, first: Part, start: number): AsyncGenerator<Buffer> {
  const { end, tag } = first;
  let part = first;
  let position = start;
  let failures = 0;
  try {
    while (position <= end) {
      const chunk = await nextChunk(part);
      if (chunk instanceof Buffer) {
        failures = 0;
        position += chunk.byteLength;
        yield chunk;
        continue;
      }
      part.body.destroy();
      failures += 1;
      if (failures === ATTEMPTS) throw failureOf(chunk);
      await setTimeout(failures * PAUSE_MS);
      part = await readPart(store, object, position, end, tag);
    }
    // Read to its end, the connection serves the next request.
    part.body.resume();
  } finally {
    if (position <= end) part.body.destroy();
  }
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
