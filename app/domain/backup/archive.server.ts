import { createHash, randomBytes } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { extract, type Header, pack } from "tar-stream";
import type { z } from "zod";
import { syncFolder } from "#app/domain/media/storage/file-calls.server.ts";
import { BackupError } from "./archive-format.ts";

const OWNER_ONLY = 0o600;
const compress = promisify(gzip);
const decompress = promisify(gunzip);
const PIECE_BYTES = 4 * 1024 * 1024;
/** The largest entry that is read into memory, before and after it is unpacked. */
const MAX_PIECE_BYTES = 64 * 1024 * 1024;

export interface ArchiveWriter {
  /** Compressed when the name ends in .gz. */
  add(name: string, content: Uint8Array | string): Promise<void>;
  /** Resolves with the sha256 of what was written, in hex. */
  addStream(name: string, bytes: number, content: Readable): Promise<string>;
}

/** A tar file that appears under its name only when `write` has finished. */
export async function writeArchive(
  path: string,
  write: (archive: ArchiveWriter) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString("hex")}.part`;
  const tar = pack();
  // In a folder that others use too, a file or link of theirs must not be taken.
  const file = createWriteStream(unfinished, { flags: "wx", mode: OWNER_ONLY, flush: true });
  const stored = pipeline(tar, file);
  const failed = stored.then(
    () => new Promise<never>(() => {}),
    (error: Error) => Promise.reject(error),
  );
  failed.catch(() => {});
  const archive: ArchiveWriter = {
    async add(name, content) {
      const bytes = Buffer.from(content);
      const body = name.endsWith(".gz") ? await compress(bytes) : bytes;
      const written = new Promise<void>((resolve, reject) => {
        tar.entry({ name }, body, (error) => (error ? reject(error) : resolve()));
      });
      await Promise.race([written, failed]);
    },
    async addStream(name, bytes, content) {
      const hash = createHash("sha256");
      const hashed = async function* (chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          hash.update(chunk);
          yield chunk;
        }
      };
      await Promise.race([pipeline(content, hashed, tar.entry({ name, size: bytes })), failed]);
      return hash.digest("hex");
    },
  };
  try {
    await write(archive);
    tar.finalize();
    await stored;
    await rename(unfinished, path);
    await syncFolder(dirname(path)).catch(async (error) => {
      await rm(path, { force: true });
      throw error;
    });
  } catch (error) {
    tar.destroy();
    await stored.catch(() => {});
    await rm(unfinished, { force: true });
    throw error;
  }
}

export interface ArchiveEntry {
  name: string;
  bytes: number;
  content: Readable;
}

/** Each entry must be read to its end before the next. Throws when the file ends early, and for an entry that is no file. */
export async function* readArchive(path: string): AsyncGenerator<ArchiveEntry> {
  const { size: total } = await stat(path);
  const tar = extract();
  const source = createReadStream(path);
  const passed = pipeline(source, tar);
  passed.catch((error) => tar.destroy(error));
  try {
    for await (const entry of tar) {
      const { name, type, size = 0, byteOffset = 0 } = entry.header as Header & { byteOffset?: number };
      if (type !== "file" || byteOffset + size > total) damaged();
      yield { name, bytes: size, content: entry as unknown as Readable };
    }
    await passed;
  } finally {
    source.destroy();
  }
}

/** Throws a BackupError for an entry that is damaged, or too large for memory. */
export async function readEntry({ name, bytes, content }: ArchiveEntry): Promise<Buffer> {
  if (bytes > MAX_PIECE_BYTES) damaged();
  const body = await buffer(content);
  return name.endsWith(".gz") ? decompress(body, { maxOutputLength: MAX_PIECE_BYTES }).catch(damaged) : body;
}

export async function readAs<Content>(schema: z.ZodType<Content>, entry: ArchiveEntry): Promise<Content> {
  const text = (await readEntry(entry)).toString();
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    return damaged();
  }
}

export function damaged(): never {
  throw new BackupError("The backup is damaged: take another one.");
}

/** Parts that together have about the size of one entry of the archive. */
export async function* inPieces<Part extends Uint8Array | string>(
  parts: AsyncIterable<Part>,
): AsyncGenerator<Part[]> {
  let gathered: Part[] = [];
  let size = 0;
  for await (const part of parts) {
    gathered.push(part);
    size += part.length;
    if (size < PIECE_BYTES) continue;
    yield gathered;
    gathered = [];
    size = 0;
  }
  if (gathered.length > 0) yield gathered;
}

export async function* listsOf(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const texts of inPieces(asJson(items))) yield `[${texts.join(",")}]`;
}

async function* asJson(items: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const item of items) yield JSON.stringify(item);
}
