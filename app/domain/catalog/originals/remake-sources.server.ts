import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { extname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { sql } from "drizzle-orm";
import { Refusal } from "#app/domain/media/intake/refusal.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { findOriginal } from "./originals.server.ts";

/** A file from which others are made. */
export interface RemakeSource {
  /** A copy that the caller deletes with its folder. */
  path: string;
  isOriginal: boolean;
  name: string;
  /** The shorter side of a video, or the width of a picture; unknown for an original. */
  size: number | null;
}

interface Wanted {
  mediaId: string;
  /** Null for a video. */
  photo: number | null;
  /** How the names of its stored files begin. */
  stem: string;
}

/** The original, or the largest stored file without one. Throws a Refusal when it is missing, damaged, or there is none. */
export async function copySource(wanted: Wanted, folder: string, signal: AbortSignal): Promise<RemakeSource> {
  const original = await findOriginal(wanted.mediaId, String(wanted.photo ?? 1));
  if (original === null) return copyLargest(wanted, folder, signal);
  const path = join(folder, `original${/^\.\w{1,5}$/.exec(extname(original.fileName))?.[0] ?? ""}`);
  await copyWhole(original.file, path, signal);
  return { path, isOriginal: true, name: original.fileName, size: null };
}

export async function copyLargest(
  { mediaId, stem }: Wanted,
  folder: string,
  signal: AbortSignal,
): Promise<RemakeSource> {
  const [found] = await db.execute<
    Record<"storageKey" | "hash" | "name", string> & { size: number | null }
  >(sql`
    SELECT storage_key AS "storageKey", sha256 AS hash, name,
      CASE WHEN content_type LIKE 'video/%' THEN LEAST(width, height) ELSE width END AS size
    FROM media_files WHERE media_id = ${mediaId} AND starts_with(name, ${stem})
    ORDER BY size DESC NULLS LAST, bytes DESC LIMIT 1`);
  if (found === undefined) throw new Refusal(mediaId, "it has no file from which anything could be made");
  const path = join(folder, `largest${extname(found.name)}`);
  await copyWhole(found, path, signal);
  return { path, isOriginal: false, name: found.name, size: found.size };
}

/** ffmpeg and the picture library read files; the storage may be elsewhere. */
async function copyWhole(
  { storageKey, hash }: { storageKey: string; hash: string },
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const lost = (what: string) =>
    new Refusal(storageKey, `${storageKey} is ${what}: restore it from a copy, then try again`);
  const source = await mediaStorage.open(storageKey).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? lost("missing") : error;
  });
  const read = createHash("sha256");
  const counted = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      read.update(chunk);
      yield chunk;
    }
  };
  await pipeline(source, counted, createWriteStream(path), { signal });
  if (read.digest("hex") !== hash) throw lost("damaged");
}
