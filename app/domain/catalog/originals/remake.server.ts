import { join } from "node:path";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { readMediaSpace } from "#app/domain/health/disk.server.ts";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import type { PictureInput } from "#app/domain/media/picture.server.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import { storeCover, storePhoto, storePoster } from "#app/domain/media/store-picture.server.ts";
import { cutFrame } from "#app/domain/media/video/cut-frame.server.ts";
import { makePoster } from "#app/domain/media/video/poster.server.ts";
import { sizeText } from "#app/sizes.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { flag, json, number, readOne, readRow, readRows, text } from "#db/rows.ts";
import { type CoverSource, mediaType } from "#db/schema/catalog.ts";
import { wouldLoseFiles } from "../edit/files/queue-encoding.server.ts";
import { TRAILER_STEP } from "../edit/files/trailer-step.server.ts";
import { isOpenStep } from "../media/encoding-work.server.ts";
import { isLatest, isTakenDown } from "../media/visibility.server.ts";
import { type QueuedRemake, queueRemake, refusedRemake } from "./queue-remake.server.ts";
import { copyLargest, copySource, storeLargestAgain } from "./remake-sources.server.ts";
import { replaceRemade, wasDeleted } from "./replace-remade.server.ts";

export const REMADE_PARTS = ["video", "trailer", "photos", "cover"] as const;
export type RemadePart = (typeof REMADE_PARTS)[number];

interface RemakeOptions {
  only: readonly RemadePart[];
  isDryRun: boolean;
  leavesRefused?: boolean;
  signal: AbortSignal;
}

export interface Remade {
  parts: RemadePart[];
  changedFiles: number;
  /** How many sources had to be their largest stored file. */
  withoutOriginal: number;
  queued: QueuedRemake | null;
  left: { parts: RemadePart[]; because: "takenDown" | "losesFiles" | "videoFirst" } | null;
}

const Item = z.object({
  id: text,
  type: z.enum(mediaType.enumValues),
  isTakenDown: flag,
  isDeleted: flag,
  durationSeconds: number.nullable(),
  photos: z.array(number),
  originals: z.array(number),
  /** Its current files and a set's largest original. */
  storedBytes: number,
  coverSource: json<CoverSource>().nullable(),
  hasTrailer: flag,
});
type Item = z.infer<typeof Item>;

/** Each part has its own transaction, so an interrupted run leaves whole parts. The worker makes videos. Captions stay. */
export async function remakeMedia(
  mediaId: string,
  { only, isDryRun, leavesRefused = false, signal }: RemakeOptions,
): Promise<Remade> {
  const item = await readItem(mediaId);
  const own: RemadePart[] =
    item.type === "video"
      ? ["video", ...(item.hasTrailer ? (["trailer"] as const) : []), "cover"]
      : ["photos", "cover"];
  const chosen = own.filter((part) => only.includes(part));
  const left = await leftOf(item, chosen);
  if (left !== null && left.because !== "videoFirst" && !leavesRefused)
    throw refusedRemake(mediaId, left.because);
  const parts = chosen.filter((part) => !left?.parts.includes(part));
  const wanted = item.type === "video" ? [1] : item.photos;
  const missing = wanted.filter((number) => !item.originals.includes(number));
  const remade: Remade = { parts, changedFiles: 0, withoutOriginal: missing.length, queued: null, left };
  if (isDryRun) return remade;
  if (parts.some((part) => part !== "trailer")) await requireRoom(item);
  if (parts.includes("video")) remade.queued = await queueRemake(mediaId, "video");
  // A trailer comes with its video, unless that is already being made.
  if (parts.includes("trailer") && remade.queued !== "queued")
    remade.queued = await queueRemake(mediaId, "trailer");
  if (parts.includes("photos")) {
    for (const number of item.photos) remade.changedFiles += await remakePhoto(item, number, signal);
  }
  if (parts.includes("cover")) remade.changedFiles += await remakeCover(item, signal);
  return remade;
}

async function leftOf({ id, isTakenDown }: Item, chosen: RemadePart[]): Promise<Remade["left"]> {
  const queued = chosen.filter((part) => part === "video" || part === "trailer");
  if (isTakenDown && queued.length > 0) return { parts: queued, because: "takenDown" };
  if (chosen.includes("video") && (await wouldLoseFiles(id, db)))
    return { parts: ["video"], because: "losesFiles" };
  // A cover is cut from the largest MP4, which may be the damaged file.
  const isEarly = chosen.includes("video") && chosen.includes("cover");
  return isEarly ? { parts: ["cover"], because: "videoFirst" } : null;
}

/**
 * Old files stay for a day beside the new ones. Queued videos need room too, trailers almost none, unless files go elsewhere
 * once they are made.
 */
async function requireRoom({ id, storedBytes }: Item): Promise<void> {
  const isStoredHere = config.media.workDir === config.media.dir;
  const queuedBytes = isStoredHere
    ? await readOne(db, number)`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM media_files f
    WHERE ${isLatest} AND f.media_id <> ${id}
      AND f.media_id IN (SELECT w.media_id FROM media_work w
        WHERE ${isOpenStep} AND w.step <> ${TRAILER_STEP})`
    : 0;
  const neededBytes = storedBytes + queuedBytes;
  const freeBytes = Math.max(0, (await readMediaSpace()).freeBytes - DISK_RESERVE_BYTES);
  if (neededBytes <= freeBytes) return;
  const [needed, free] = [sizeText(neededBytes), sizeText(freeBytes)];
  throw new ImportRefusal(
    id,
    `it needs ${needed} in addition to its current files, but only ${free} are free on the disk`,
  );
}

const Remakable = z.object({ id: text, shortId: text, title: text });

export async function* listRemakable(): AsyncGenerator<z.infer<typeof Remakable>> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await readRows(db, Remakable)`
      SELECT id, short_id AS "shortId", title FROM media m WHERE id > ${after} AND status <> 'deleted'
        AND EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id AND ${isLatest})
      ORDER BY id LIMIT 100`;
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function readItem(mediaId: string): Promise<Item> {
  const item = await readRow(db, Item)`
    SELECT id, type, ${isTakenDown} AS "isTakenDown", duration_seconds AS "durationSeconds", status = 'deleted' AS "isDeleted",
      (SELECT coalesce(jsonb_agg(number ORDER BY number), '[]') FROM photos p WHERE p.media_id = m.id) AS photos,
      (SELECT coalesce(jsonb_agg(coalesce(photo_number, 1)), '[]')
        FROM media_originals o WHERE o.media_id = m.id) AS originals,
      (SELECT coalesce(sum(bytes), 0)::float8 FROM media_files f WHERE f.media_id = m.id AND ${isLatest})
        + (SELECT coalesce(max(bytes), 0)::float8 FROM media_originals o
          WHERE o.media_id = m.id AND photo_number IS NOT NULL) AS "storedBytes",
      cover_source AS "coverSource",
      EXISTS (SELECT FROM media_trailers t WHERE t.media_id = m.id) AS "hasTrailer"
    FROM media m WHERE id = ${mediaId}`;
  if (item === null || item.isDeleted) throw wasDeleted(mediaId);
  return item;
}

/** A chosen cover is made again from its moment or photo. An uploaded one stays, because the upload is gone. */
async function remakeCover({ id: mediaId }: Item, signal: AbortSignal): Promise<number> {
  // Another cover may have been chosen while the photos were made.
  const item = await readItem(mediaId);
  const { type, coverSource } = item;
  if (coverSource?.kind === "picture") return 0;
  return inTemporaryFolder(config.media.workDir, async (folder) => {
    return replaceRemade(mediaId, [fileStems.cover, fileStems.poster], async (version) => {
      const picture =
        type === "video" ? await videoCover(item, folder, signal) : await photoCover(item, folder, signal);
      const cover = await storeCover(picture, { mediaId, version, type });
      const poster = type === "video" ? await storePoster(picture, { mediaId, version }) : [];
      signal.throwIfAborted();
      const writeFacts = (tx: Transaction) =>
        tx.execute(
          sql`UPDATE media SET color = ${cover.color} WHERE id = ${mediaId} AND color <> ${cover.color}`,
        );
      return { files: [...cover.files, ...poster], writeFacts };
    });
  });
}

async function videoCover(
  { id: mediaId, coverSource, durationSeconds }: Item,
  folder: string,
  signal: AbortSignal,
): Promise<PictureInput> {
  const { path } = await copyLargest({ mediaId, photo: null, group: fileStems.video }, folder, signal);
  if (coverSource?.kind === "moment") return cutFrame(path, coverSource.seconds);
  const picture = join(folder, "poster.png");
  await makePoster(path, picture, durationSeconds ?? 0, signal);
  return picture;
}

async function photoCover(
  { id: mediaId, coverSource, photos: [first = 1] }: Item,
  folder: string,
  signal: AbortSignal,
): Promise<string> {
  const number = coverSource?.kind === "photo" ? coverSource.number : first;
  return (await copySource(photoOf(mediaId, number), folder, signal)).path;
}

async function remakePhoto({ id: mediaId }: Item, number: number, signal: AbortSignal): Promise<number> {
  return inTemporaryFolder(config.media.workDir, async (folder) => {
    const wanted = photoOf(mediaId, number);
    return replaceRemade(mediaId, [wanted.group], async (version) => {
      const source = await copySource(wanted, folder, signal);
      // `needs` is corrected when the files are replaced.
      const facts = { mediaId, version, number, needs: "view", below: source.size ?? undefined } as const;
      const { files, width, height, widest, color } = await storePhoto(source.path, facts);
      signal.throwIfAborted();
      if (!source.isOriginal) {
        files.push(...(await storeLargestAgain(wanted, { width: source.size, version })));
      }
      const writeFacts = async (tx: Transaction) => {
        if (!source.isOriginal) return;
        await tx.execute(sql`
          UPDATE photos SET width = ${width}, height = ${height}, widest = ${widest}, color = ${color}
          WHERE media_id = ${mediaId} AND number = ${number} AND (width, height, widest, color)
            IS DISTINCT FROM (${width}::int, ${height}::int, ${widest}::int, ${color}::text)`);
      };
      return { files, writeFacts };
    });
  });
}

function photoOf(mediaId: string, number: number) {
  return { mediaId, photo: number, group: fileStems.photo(number) };
}
