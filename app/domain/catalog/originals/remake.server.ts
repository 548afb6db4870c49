import { join } from "node:path";
import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { Refusal } from "#app/domain/media/intake/refusal.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import { type MediaFileRow, storeRemadeFile, storeVideoFile } from "#app/domain/media/store-file.server.ts";
import { storeCover, storePhoto, storePoster } from "#app/domain/media/store-picture.server.ts";
import { inspectVideo } from "#app/domain/media/video/inspect.server.ts";
import { planVideos } from "#app/domain/media/video/renditions-plan.ts";
import { makePoster, makeVideo } from "#app/domain/media/video/transcode.server.ts";
import type { MediaType } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { copyLargest, copySource, type RemakeSource } from "./remake-sources.server.ts";
import { replaceRenditions } from "./replace-renditions.server.ts";

export const REMADE_PARTS = ["video", "photos", "cover"] as const;
export type RemadePart = (typeof REMADE_PARTS)[number];

interface RemakeOptions {
  only: readonly RemadePart[];
  isDryRun: boolean;
  signal: AbortSignal;
}

export interface Remade {
  parts: RemadePart[];
  /** Stored files that are others now. */
  changedFiles: number;
  /** Whether the video, or how many photos, had to be made from their largest stored file. */
  withoutOriginal: number;
}

interface Item extends Record<string, unknown> {
  id: string;
  type: MediaType;
  durationSeconds: number | null;
  /** Positions of photos. */
  photos: number[];
  /** Numbers of photos with an original, or 1 for a video's. */
  originals: number[];
}

const VIDEO_STEM = "video-";
const COVER_STEMS = [`${fileStems.cover}-`, `${fileStems.blur}-`, "poster."];

/**
 * Makes the stored files again, each part in a transaction of its own, so that an ended run leaves whole ones. Captions stay.
 * Throws a Refusal, a PictureError or a VideoError.
 */
export async function remakeMedia(
  mediaId: string,
  { only, isDryRun, signal }: RemakeOptions,
): Promise<Remade> {
  const item = await readItem(mediaId);
  const own: RemadePart[] = item.type === "video" ? ["video", "cover"] : ["photos", "cover"];
  const parts = own.filter((part) => only.includes(part));
  const wanted = item.type === "video" ? [1] : item.photos;
  const missing = wanted.filter((number) => !item.originals.includes(number));
  const remade: Remade = { parts, changedFiles: 0, withoutOriginal: missing.length };
  if (isDryRun) return remade;
  const replace = async (...given: Parameters<typeof replaceRenditions>) => {
    const changed = await replaceRenditions(...given);
    if (changed === null) throw new Refusal(mediaId, "it was deleted meanwhile");
    remade.changedFiles += changed;
  };
  for (const part of parts) {
    if (part === "video") await remakeVideo(item, replace, signal);
    else if (part === "cover") await remakeCover(item, replace, signal);
    else for (const position of item.photos) await remakePhoto(item, position, replace, signal);
  }
  return remade;
}

/** The ids of all items that have files. */
export async function* listRemakable(): AsyncGenerator<{ id: string; shortId: string; title: string }> {
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const rows = await db.execute<{ id: string; shortId: string; title: string }>(sql`
      SELECT id, short_id AS "shortId", title FROM media m WHERE id > ${after} AND status <> 'deleted'
        AND EXISTS (SELECT FROM media_files f WHERE f.media_id = m.id)
      ORDER BY id LIMIT 100`);
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

type Replace = (...given: Parameters<typeof replaceRenditions>) => Promise<void>;

async function readItem(mediaId: string): Promise<Item> {
  const [item] = await db.execute<Item & { isDeleted: boolean }>(sql`
    SELECT id, type, duration_seconds AS "durationSeconds", status = 'deleted' AS "isDeleted",
      (SELECT coalesce(jsonb_agg(position ORDER BY position), '[]') FROM photos p WHERE p.media_id = m.id) AS photos,
      (SELECT coalesce(jsonb_agg(coalesce(photo_number, 1)), '[]')
        FROM media_originals o WHERE o.media_id = m.id) AS originals
    FROM media m WHERE id = ${mediaId}`);
  if (item === undefined || item.isDeleted) throw new Refusal(mediaId, "it was deleted");
  return item;
}

async function remakeVideo({ id: mediaId }: Item, replace: Replace, signal: AbortSignal): Promise<void> {
  await inTemporaryFolder(config.media.dir, async (folder) => {
    const source = await copySource({ mediaId, photo: null, stem: VIDEO_STEM }, folder, signal);
    const video = await inspectVideo(source.path, signal);
    const plan = planVideos(video);
    const [best = video] = plan;
    const files: MediaFileRow[] = [];
    let { seconds: durationSeconds } = video;
    // A stored file in its own size is as good as one that is made of it.
    for (const [index, planned] of plan.slice(source.isOriginal ? 0 : 1).entries()) {
      const path = join(folder, `${index}.mp4`);
      const made = await makeVideo(path, video, planned, { signal });
      if (index === 0) ({ durationSeconds } = made);
      files.push(await storeVideoFile({ path, move: true }, { mediaId, ...planned }, storeRemadeFile));
    }
    await replace({ mediaId, stems: [VIDEO_STEM], files, kept: keptOf(source) }, async (tx) => {
      if (!source.isOriginal) return;
      await tx.execute(sql`
        UPDATE media SET duration_seconds = ${durationSeconds}, width = ${best.width}, height = ${best.height}
        WHERE id = ${mediaId} AND (duration_seconds, width, height)
          IS DISTINCT FROM (${durationSeconds}::float8, ${best.width}::int, ${best.height}::int)`);
      await tx.execute(
        sql`UPDATE videos SET has_audio = ${video.sound !== null} WHERE media_id = ${mediaId}`,
      );
    });
  });
}

/** A video's is cut from its largest stored file, as in an import: that has its colors and its shape already. */
async function remakeCover(item: Item, replace: Replace, signal: AbortSignal): Promise<void> {
  const { id: mediaId, type } = item;
  await inTemporaryFolder(config.media.dir, async (folder) => {
    let picture = join(folder, "poster.png");
    if (type === "video") {
      const { path } = await copyLargest({ mediaId, photo: null, stem: VIDEO_STEM }, folder, signal);
      await makePoster(path, picture, item.durationSeconds ?? 0, signal);
    } else {
      const [first = 1] = item.photos;
      ({ path: picture } = await copySource(photoOf(mediaId, first), folder, signal));
    }
    const cover = await storeCover(picture, { mediaId, type }, storeRemadeFile);
    const poster = type === "video" ? await storePoster(picture, { mediaId }, storeRemadeFile) : [];
    await replace({ mediaId, stems: COVER_STEMS, files: [...cover.files, ...poster] }, (tx) =>
      tx.execute(
        sql`UPDATE media SET color = ${cover.color} WHERE id = ${mediaId} AND color <> ${cover.color}`,
      ),
    );
  });
}

async function remakePhoto({ id: mediaId }: Item, position: number, replace: Replace, signal: AbortSignal) {
  await inTemporaryFolder(config.media.dir, async (folder) => {
    const wanted = photoOf(mediaId, position);
    const source = await copySource(wanted, folder, signal);
    const below = source.size ?? undefined;
    const facts = { mediaId, position, needs: "view", ...(below === undefined ? {} : { below }) } as const;
    const { files, width, height, color } = await storePhoto(source.path, facts, storeRemadeFile);
    const kept = source.isOriginal ? [] : await namesOfWidth(wanted, source.size);
    await replace({ mediaId, stems: [wanted.stem], files, kept }, async (tx) => {
      const isOfPhoto = sql`media_id = ${mediaId} AND position = ${position}`;
      if (source.isOriginal) {
        await tx.execute(
          sql`UPDATE photos SET width = ${width}, height = ${height}, color = ${color} WHERE ${isOfPhoto}`,
        );
      }
      await tx.execute(sql`
        UPDATE media_files SET needs = 'preview' WHERE media_id = ${mediaId} AND starts_with(name, ${wanted.stem})
          AND needs <> 'preview' AND EXISTS (SELECT FROM photos WHERE ${isOfPhoto} AND is_preview)`);
    });
  });
}

function photoOf(mediaId: string, position: number) {
  return { mediaId, photo: position, stem: `${fileStems.photo(position)}-` };
}

function keptOf({ isOriginal, name }: RemakeSource): string[] {
  return isOriginal ? [] : [name];
}

/** The largest stored width exists in each format. */
async function namesOfWidth({ mediaId, stem }: ReturnType<typeof photoOf>, width: number | null) {
  const rows = await db.execute<{ name: string }>(sql`
    SELECT name FROM media_files WHERE media_id = ${mediaId} AND starts_with(name, ${stem}) AND width = ${width}`);
  return rows.map(({ name }) => name);
}
