import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { fileStems, IMAGE_FORMATS, PHOTO_WIDTHS, photoWidths } from "#app/domain/media/renditions.ts";
import { PHOTOS_A_PAGE, paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { flag, number, readOne, readRows, text } from "#db/rows.ts";
import type { PictureView } from "./picture-view.ts";
import { isLatest, isLive } from "./visibility.server.ts";

export const StoredPhoto = z.object({
  position: number,
  number,
  version: number,
  alt: text,
  width: number,
  height: number,
  widest: number,
  color: text,
  isPreview: flag,
  isFavorited: flag.nullable(),
});
export type StoredPhoto = z.infer<typeof StoredPhoto>;

type ShownPhoto = Omit<StoredPhoto, "isFavorited"> & Partial<Pick<StoredPhoto, "isFavorited">>;

const LargestFile = z.object({ name: text, version: number, bytes: number });
type LargestFile = z.infer<typeof LargestFile>;
const NumberedFile = LargestFile.extend({ number });

interface StoredPhotoWithDownload extends StoredPhoto {
  /** The JPEG, or the largest WebP in most of the demo. */
  largest: LargestFile | null;
}

export interface PhotoView {
  position: number;
  number: number;
  isFavorited: boolean | null;
  picture: PictureView | null;
}

export const photoVersion: SQL<number> = sql`COALESCE((SELECT f.version FROM media_files f
  WHERE f.media_id = p.media_id AND ${isLatest}
    AND f.name = concat('photo-', p.number, '-', LEAST(p.width, ${PHOTO_WIDTHS[0]}::int), '.webp')), 0)`;

export function photoColumn(viewerId: string | undefined): SQL<StoredPhoto> {
  const isFavorited =
    viewerId === undefined
      ? sql`NULL`
      : sql`EXISTS (SELECT FROM photo_favorites f WHERE f.user_id = ${viewerId} AND f.photo_id = p.id)`;
  return sql`jsonb_build_object('position', p.position, 'number', p.number, 'version', ${photoVersion},
  'alt', p.alt, 'width', p.width, 'height', p.height, 'widest', p.widest, 'color', p.color, 'isPreview', p.is_preview,
    'isFavorited', ${isFavorited})`;
}

const LARGEST_FIRST = sql`f.name LIKE '%.jpg' DESC, f.width DESC, f.name LIKE '%.webp' DESC`;
const LARGEST = sql`(SELECT jsonb_build_object('name', f.name, 'version', f.version, 'bytes', f.bytes) FROM media_files f
  WHERE f.media_id = p.media_id AND ${isLatest} AND starts_with(f.name, concat('photo-', p.number, '-'))
  ORDER BY ${LARGEST_FIRST} LIMIT 1)`;

export function storedPhotos(viewerId: string | undefined): SQL<StoredPhoto[]> {
  return sql`COALESCE((
    SELECT jsonb_agg(${photoColumn(viewerId)} ORDER BY p.position) FROM photos p WHERE p.media_id = m.id AND p.position IS NOT NULL
  ), '[]')`;
}

function nearestPage(page: number, total: SQL): SQL {
  return sql`LEAST(${page}::int, GREATEST(ceil(${total}::numeric / ${PHOTOS_A_PAGE}::int), 1)::int)`;
}

export function storedPhotoPage(page: number, viewerId: string | undefined): SQL<StoredPhoto[]> {
  const shown = nearestPage(page, sql`COALESCE(m.photo_count, 0)`);
  return sql`COALESCE((
    SELECT jsonb_agg(${photoColumn(viewerId)} ORDER BY p.position) FROM photos p WHERE p.media_id = m.id
      AND p.position > (${shown} - 1) * ${PHOTOS_A_PAGE}::int AND p.position <= ${shown} * ${PHOTOS_A_PAGE}::int
  ), '[]')`;
}

const PreviewRow = z.object({ photo: StoredPhoto, total: number });

/** Of a locked set: the photos that everybody past the age gate may see. */
export async function listPreviews(
  mediaId: string,
  page: number,
  viewerId: string | undefined,
): Promise<{ photos: StoredPhoto[]; total: number }> {
  const shown = nearestPage(page, sql`p.total`);
  const rows = await readRows(db, PreviewRow)`
    SELECT ${photoColumn(viewerId)} AS photo, p.total
    FROM (
      SELECT photos.*, row_number() OVER (ORDER BY position) AS nth, count(*) OVER ()::int AS total
      FROM photos WHERE media_id = ${mediaId} AND is_preview AND position IS NOT NULL
    ) p
    WHERE p.nth > (${shown} - 1) * ${PHOTOS_A_PAGE}::int AND p.nth <= ${shown} * ${PHOTOS_A_PAGE}::int
    ORDER BY p.nth`;
  return { photos: rows.map(({ photo }) => photo), total: rows[0]?.total ?? 0 };
}

const PhotoNeighbors = z.object({ previous: number.nullable(), next: number.nullable() });
export type PhotoNeighbors = z.infer<typeof PhotoNeighbors>;

export function findPreviewNeighbors(mediaId: string, position: number): Promise<PhotoNeighbors> {
  return readOne(db, PhotoNeighbors)`
    SELECT max(position) FILTER (WHERE position < ${position}::int) AS previous,
      min(position) FILTER (WHERE position > ${position}::int) AS next
    FROM photos WHERE media_id = ${mediaId} AND is_preview AND position IS NOT NULL`;
}

export function storedPhotoAt(
  position: number,
  viewerId: string | undefined,
): SQL<StoredPhotoWithDownload | null> {
  return sql`(SELECT ${photoColumn(viewerId)} || jsonb_build_object('largest', ${LARGEST}) FROM photos p WHERE p.media_id = m.id AND p.position = ${position})`;
}

/** Previews are open to everyone past the age gate. */
export function photoView(mediaId: string, photo: ShownPhoto, mayView: boolean): PhotoView {
  const { position, number, version, alt, width, height, widest, color, isPreview } = photo;
  const { isFavorited = null } = photo;
  if (!mayView && !isPreview) return { position, number, isFavorited, picture: null };
  const url = paths.mediaFile(mediaId, fileStems.photo(number), version);
  const widths = photoWidths(Math.min(width, widest));
  const picture = { alt, color, width, height, url, widths, formats: IMAGE_FORMATS };
  return { position, number, isFavorited, picture };
}

const MAX_SHOOT_PREVIEWS = 6;

export interface ShootPreview {
  setId: string;
  href: string;
  picture: PictureView;
}

const ShootPhoto = z.object({ id: text, slug: text, photo: StoredPhoto });

/** From sets of the same shoot, open to everyone past the age gate. */
export async function listShootPreviews(mediaId: string): Promise<ShootPreview[]> {
  const rows = await readRows(db, ShootPhoto)`
    SELECT m.id, m.slug, ${photoColumn(undefined)} AS photo
    FROM media own JOIN media m ON m.shoot_id = own.shoot_id AND m.type = 'photoSet' AND ${isLive}
      JOIN photos p ON p.media_id = m.id AND p.is_preview AND p.position IS NOT NULL
    WHERE own.id = ${mediaId} ORDER BY m.publish_at DESC, m.id, p.position LIMIT ${MAX_SHOOT_PREVIEWS}`;
  return rows.flatMap(({ id, slug, photo }) => {
    const { position, picture } = photoView(id, photo, false);
    return picture ? [{ setId: id, href: paths.photo(slug, position), picture }] : [];
  });
}

/** Joining photos first would read all file names once for each photo of a new set. */
export function largestFiles(mediaId: SQL, columns: SQL): SQL {
  return sql`SELECT p.position, largest.* FROM (
      SELECT DISTINCT ON (number) substring(f.name FROM '^photo-([0-9]{1,6})-')::int AS number, ${columns}
      FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest} AND f.name LIKE 'photo-%'
      ORDER BY number, ${LARGEST_FIRST}
    ) largest
    JOIN photos p ON p.media_id = ${mediaId} AND p.number = largest.number AND p.position IS NOT NULL
    ORDER BY p.position`;
}

/** Only for those who may download. By photo number. */
export async function listPhotoDownloads(mediaId: string): Promise<Map<number, PhotoDownload>> {
  const rows = await readRows(db, NumberedFile)`
    ${largestFiles(sql`${mediaId}::uuid`, sql`f.name, f.version, f.bytes::float8 AS bytes`)}`;
  return new Map(rows.map((row) => [row.number, downloadOf(mediaId, row)]));
}

export function photoDownload(mediaId: string, { largest }: StoredPhotoWithDownload): PhotoDownload | null {
  return largest && downloadOf(mediaId, largest);
}

interface PhotoDownload {
  url: string;
  bytes: number;
}

function downloadOf(mediaId: string, { name, version, bytes }: LargestFile): PhotoDownload {
  return { url: paths.mediaFile(mediaId, name, version), bytes };
}
