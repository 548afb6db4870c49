import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { formatClockTime } from "#app/clock-times.ts";
import { config } from "#app/config.server.ts";
import { COVER_WIDTHS, fileStems } from "#app/domain/media/renditions.ts";
import { storageOf } from "#app/domain/media/storage/media-storage.server.ts";
import { STORAGE_PLACES } from "#app/domain/media/storage/storage.ts";
import { cutFrame } from "#app/domain/media/video/cut-frame.server.ts";
import { paths } from "#app/paths.ts";
import { UUID } from "#app/texts.ts";
import { db } from "#db/client.server.ts";
import { number, readRow, text } from "#db/rows.ts";
import type { CoverSource } from "#db/schema/catalog.ts";
import { isOpenStep } from "../../media/encoding-work.server.ts";
import { photoVersion, photoView } from "../../media/photos.server.ts";
import { isLatest } from "../../media/visibility.server.ts";
import { type EditedItem, selectItems } from "../item/items.server.ts";
import { ListedPhoto, selectPhotos } from "../item/list-photos.server.ts";
import { VideoItem, videoItem } from "../item/video-item.server.ts";

/** `photo`: its id. `candidate`: the name of one of the video's files. */
export type CoverChoice =
  | { kind: "moment"; seconds: number }
  | { kind: "photo"; photo: string }
  | { kind: "candidate"; name: string }
  | { kind: "upload"; path: string };

/** `input`: a path or bytes. `source`: what the item remembers. */
export interface ChosenPicture {
  input: string | Uint8Array;
  source: CoverSource;
  /** Changes when the photo is replaced. */
  photoVersion?: number;
}

const CANDIDATE = /^candidate-\d{1,3}\.webp$/;
const BEING_MADE =
  "This video is still being encoded in larger sizes, so its pictures would be blurry. Please try again when the encoding is done, or upload a picture.";
const LOST = "The file of this picture is missing. Please choose another picture.";

const CoverChoices = VideoItem.extend({
  candidates: z.array(z.object({ name: text, version: number })),
  photos: z.array(ListedPhoto),
});
const StoredRow = z.object({ storageKey: text, storage: z.enum(STORAGE_PLACES) });
const PhotoRow = z.object({ number, version: number, original: StoredRow.nullable() });

/** What a cover can be made of. `photoPage`: of the photos of a set, from 1. */
export async function findCoverChoices(id: string, photoPage: number) {
  const row = await readRow(db, CoverChoices)`
    SELECT ${videoItem},
      COALESCE((SELECT jsonb_agg(jsonb_build_object('name', f.name, 'version', f.version) ORDER BY length(f.name), f.name)
        FROM media_files f WHERE f.media_id = m.id AND f.name ~ ${CANDIDATE.source} AND ${isLatest}), '[]') AS candidates,
      COALESCE((SELECT jsonb_agg(to_jsonb(photo)) FROM (${selectPhotos(sql`m.id`, photoPage)}) photo), '[]') AS photos
    FROM (${selectItems([id])}) item JOIN media m ON m.id = item.id`;
  return (
    row && {
      ...row,
      candidates: row.candidates.map(({ name, version }) => ({
        name,
        url: paths.mediaFile(id, name, version),
      })),
      photos: row.photos.map(({ id: photo, ...stored }) => ({
        id: photo,
        position: stored.position,
        picture: photoView(id, stored, true).picture,
      })),
    }
  );
}

/** A string says why it cannot be the cover. What it reads may be copied to `folder`. Throws as cutFrame() does. */
export async function pictureOf(
  { id, type, durationSeconds }: EditedItem,
  choice: CoverChoice,
  folder: string,
): Promise<ChosenPicture | string> {
  if (choice.kind === "upload") return { input: choice.path, source: { kind: "picture" } };
  if (choice.kind === "photo") return photoPicture(id, choice.photo, folder);
  if (type !== "video") return "Only a video can have one of its frames as the cover.";
  if (choice.kind === "candidate") {
    if (!CANDIDATE.test(choice.name)) return "There is no such picture.";
    const file = await largestFile(id, sql`name = ${choice.name}`, folder);
    return file === null ? LOST : { input: file, source: { kind: "picture" } };
  }
  const { seconds } = choice;
  if (durationSeconds !== null && seconds >= durationSeconds) {
    return `The video ends at ${formatClockTime(Math.floor(durationSeconds))}. Please choose an earlier moment.`;
  }
  const video = await largestFile(id, sql`starts_with(name, 'video-')`, folder);
  if (video === null) return "This video has no file yet, so there is nothing to take a picture from.";
  if (await isBecomingSharper(id)) return BEING_MADE;
  return { input: await cutFrame(video, seconds), source: { kind: "moment", seconds } };
}

async function photoPicture(mediaId: string, photo: string, folder: string): Promise<ChosenPicture | string> {
  const found = UUID.test(photo)
    ? await readRow(db, PhotoRow)`
        SELECT p.number, ${photoVersion} AS version, CASE WHEN o.storage_key IS NOT NULL
          THEN jsonb_build_object('storageKey', o.storage_key, 'storage', o.storage) END AS original FROM photos p
        LEFT JOIN media_originals o ON o.media_id = p.media_id AND o.photo_number = p.number
        WHERE p.media_id = ${mediaId} AND p.id = ${photo} AND p.position IS NOT NULL`
    : null;
  if (found === null) return "This photo is no longer in the set. Please choose another.";
  const { number, version, original } = found;
  const input =
    (original === null ? null : await storageOf(original.storage).fileOf(original.storageKey, folder)) ??
    (await largestFile(mediaId, sql`starts_with(name, ${`${fileStems.photo(number)}-`})`, folder));
  return input === null ? LOST : { input, source: { kind: "photo", number }, photoVersion: version };
}

/** No stored file is wide enough for a cover, and the worker is making a larger one. */
async function isBecomingSharper(mediaId: string): Promise<boolean> {
  const isMadeHere = config.media.encodingJobs > 0;
  const larger = await db.execute(sql`
    SELECT FROM (SELECT max(width) AS width, max(LEAST(width, height)) AS size FROM media_files f
      WHERE f.media_id = ${mediaId} AND ${isLatest} AND starts_with(f.name, 'video-')) stored
    WHERE width < ${Math.max(...COVER_WIDTHS)} AND EXISTS (
      SELECT FROM media_work w WHERE w.media_id = ${mediaId} AND w.step ~ '^video-' HAVING bool_or(${isOpenStep})
          AND (${isMadeHere} OR EXISTS (SELECT FROM media_work WHERE media_id = ${mediaId} AND state = 'running'))
        AND max(substring(w.step FROM '^video-(\\d+)$')::int) FILTER (WHERE ${isOpenStep} OR w.state = 'done') > stored.size)`);
  return larger.length > 0;
}

async function largestFile(mediaId: string, condition: SQL, folder: string): Promise<string | null> {
  const found = await readRow(db, StoredRow)`
    SELECT storage_key AS "storageKey", storage FROM media_files f
    WHERE f.media_id = ${mediaId} AND ${isLatest} AND ${condition}
    ORDER BY width DESC NULLS LAST, bytes DESC LIMIT 1`;
  return found === null ? null : storageOf(found.storage).fileOf(found.storageKey, folder);
}
