import { createReadStream } from "node:fs";
import {
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { Readable } from "node:stream";
import { bulkhead } from "cockatiel";
import { readChecksums } from "./checksums.server.ts";
import { copyAnyway, setMode, syncFolder } from "./file-calls.server.ts";
import {
  assertStorageKey,
  type ByteRange,
  type MediaStorage,
  MissingObjectError,
  type StorageEntry,
  StorageKeyError,
  type StoredObject,
} from "./storage.ts";
import { sweepTemporary, temporaryPath } from "./temporary.server.ts";

/** Each waits 100 ms longer than the one before. */
const DELETION_RETRIES = 5;
const READ_CHUNK_BYTES = 64 * 1024;
/**
 * Without it, 200 players that began at once kept a new visitor waiting for four seconds: Node accepts one connection in each
 * turn of its event loop.
 */
const partReads = bulkhead(2, Number.POSITIVE_INFINITY);
export const FILE_MODE = 0o640;
const LIST_LIMIT = 100;
const STATS_AT_ONCE = 100;

export function localStorage(root: string): MediaStorage {
  return {
    place: "folder",

    async put(key, source) {
      const target = pathOf(root, key);
      const temporary = await temporaryPath(root);
      const own = "path" in source && source.move ? source.path : null;
      let movedTo: string | null = null;
      try {
        if (own !== null && (await tryMove(own, temporary))) movedTo = temporary;
        else if ("path" in source) await copyAnyway(source.path, temporary, FILE_MODE);
        else await writeFile(temporary, source);
        // A copied or moved file keeps the mode of its source, which others may read.
        await setMode(temporary, FILE_MODE);
        const stored = await syncAndHash(temporary);
        await mkdir(dirname(target), { recursive: true });
        await rename(temporary, target);
        if (movedTo !== null) movedTo = target;
        await syncFolder(dirname(target));
        if (own !== null && movedTo === null) await rm(own);
        return stored;
      } catch (error) {
        // A file that was moved may be the only copy.
        const undo = own !== null && movedTo !== null ? rename(movedTo, own) : rm(temporary, { force: true });
        await undo.catch(() => {});
        throw error;
      }
    },

    async open(key, range): Promise<Readable> {
      const handle = await unlessMissing(async () => open(await existingPath(root, key), "r"));
      if (handle === null) throw new MissingObjectError();
      const stream = Readable.from(partsOf(handle, range), {
        objectMode: false,
        highWaterMark: READ_CHUNK_BYTES,
      });
      return stream.once("close", () => handle.close().catch(() => {}));
    },

    read(key) {
      return unlessMissing(async () => readFile(await existingPath(root, key)));
    },

    head(key) {
      return unlessMissing(async () => {
        const found = await stat(await existingPath(root, key));
        return found.isFile() ? { bytes: found.size } : null;
      });
    },

    async isPresent(key, bytes) {
      return (await this.head(key))?.bytes === bytes;
    },

    addressOf: () => Promise.resolve(null),

    fileOf(key) {
      return unlessMissing(() => existingPath(root, key));
    },

    async list(folder, { limit = LIST_LIMIT, offset = 0, search = "" } = {}) {
      const entries: StorageEntry[] = [];
      for await (const entry of entriesIn(root, folder, { offset, search })) {
        // Those that were deleted meanwhile do not count: a short list means the end.
        if (entries.length === limit) break;
        entries.push(entry);
      }
      return entries;
    },

    entries(folder) {
      return entriesIn(root, folder);
    },

    async delete(key) {
      await rm(pathOf(root, key), { force: true });
    },

    async deleteFolder(prefix) {
      // A process that has lost its lock may still store a file there, so that rm() finds a folder not empty and must try again.
      await rm(pathOf(root, prefix), { recursive: true, force: true, maxRetries: DELETION_RETRIES });
    },

    async deleteOthers(prefix, name) {
      const folder = pathOf(root, prefix);
      const others = (await readdir(folder)).filter((other) => other !== name);
      await Promise.all(others.map((other) => rm(join(folder, other), { recursive: true, force: true })));
    },

    deleteUnfinished() {
      return sweepTemporary(root);
    },
  };
}

/** The whole file without a range. The caller closes the handle. */
async function* partsOf(
  handle: FileHandle,
  { start, end }: ByteRange = { start: 0, end: Number.POSITIVE_INFINITY },
): AsyncGenerator<Buffer> {
  for (let position = start; position <= end; ) {
    const length = Math.min(READ_CHUNK_BYTES, end + 1 - position);
    const read = () => handle.read(Buffer.allocUnsafe(length), 0, length, position);
    const { buffer, bytesRead } = await partReads.execute(read);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

function pathOf(root: string, key: string): string {
  assertStorageKey(key);
  const path = resolve(root, key);
  if (!path.startsWith(resolve(root) + sep)) throw new StorageKeyError("Outside the media folder");
  return path;
}

/** Also refuses a link that leads out of the root. */
async function existingPath(root: string, key: string): Promise<string> {
  const [path, realRoot] = await Promise.all([realpath(pathOf(root, key)), realpath(root)]);
  if (!path.startsWith(realRoot + sep)) throw new StorageKeyError("Outside the media folder");
  return path;
}

/** By name. */
async function* entriesIn(
  root: string,
  folder: string,
  { offset = 0, search = "" } = {},
): AsyncGenerator<StorageEntry> {
  const found = await unlessMissing(() => readdir(pathOf(root, folder)));
  const names = (found ?? []).filter((name) => name.startsWith(search)).sort();
  for (let from = offset; from < names.length; from += STATS_AT_ONCE) {
    const next = names.slice(from, from + STATS_AT_ONCE).map((name) => entryOf(root, folder, name));
    yield* (await Promise.all(next)).filter((entry) => entry !== null);
  }
}

function entryOf(root: string, folder: string, name: string): Promise<StorageEntry | null> {
  return unlessMissing(async () => {
    const found = await stat(join(pathOf(root, folder), name));
    return { name, bytes: found.isDirectory() ? null : found.size };
  });
}

/** False across file systems, which only a copy can cross. */
async function tryMove(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EXDEV") throw error;
    return false;
  }
}

async function syncAndHash(path: string): Promise<StoredObject> {
  const checksums = await readChecksums(createReadStream(path));
  const handle = await open(path, "r+");
  try {
    await handle.sync();
    return { bytes: (await handle.stat()).size, storage: "folder", ...checksums };
  } finally {
    await handle.close();
  }
}

async function unlessMissing<Found>(find: () => Promise<Found>): Promise<Found | null> {
  try {
    return await find();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
}
