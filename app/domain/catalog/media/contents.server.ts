import { and, asc, desc, eq, like, or, sql } from "drizzle-orm";
import { fileNames, fileStems, IMAGE_FORMATS, photoWidths } from "#app/domain/media/renditions.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { type Marker, mediaFiles, photos, videos } from "#db/schema/catalog.ts";
import type { PictureView } from "./picture-view.ts";

export interface VideoContents {
  /** URL of the poster in the video's own shape; null when the cover is used instead. */
  poster: string | null;
  sources: { url: string; height: number; contentType: string; bytes: number }[];
  captions: { url: string; language: string; label: string }[];
  markers: Marker[];
}

/** Contains the files' URLs, so only for those who may view. */
export async function findVideoContents(mediaId: string): Promise<VideoContents> {
  const [files, captionFiles, [video]] = await Promise.all([
    db
      .select()
      .from(mediaFiles)
      .where(
        and(
          eq(mediaFiles.mediaId, mediaId),
          or(like(mediaFiles.name, "video-%"), eq(mediaFiles.name, fileNames.poster())),
        ),
      )
      .orderBy(desc(mediaFiles.height)),
    db
      .select()
      .from(mediaFiles)
      .where(and(eq(mediaFiles.mediaId, mediaId), like(mediaFiles.name, "captions-%")))
      .orderBy(asc(mediaFiles.name)),
    db.select({ markers: videos.markers }).from(videos).where(eq(videos.mediaId, mediaId)),
  ]);
  const isPoster = ({ name }: { name: string }) => name === fileNames.poster();
  return {
    poster: files.some(isPoster) ? paths.mediaFile(mediaId, fileNames.poster()) : null,
    sources: files
      .filter((file) => !isPoster(file))
      .map(({ name, height, contentType, bytes }) => ({
        url: paths.mediaFile(mediaId, name),
        height: height ?? 0,
        contentType,
        bytes,
      })),
    captions: captionFiles.map(({ name, language, label }) => ({
      url: paths.mediaFile(mediaId, name),
      language: language ?? "en",
      label: label ?? language ?? "Captions",
    })),
    markers: video?.markers ?? [],
  };
}

export interface PhotoView {
  position: number;
  picture: PictureView | null;
}

/** In order. `mayView` opens all photos; previews are open to everyone past the age gate. */
export async function listPhotos(mediaId: string, mayView: boolean): Promise<PhotoView[]> {
  const rows = await db.select().from(photos).where(eq(photos.mediaId, mediaId)).orderBy(photos.position);
  return rows.map((row) => photoView(row, mayView));
}

export async function findPhoto(
  mediaId: string,
  position: number,
  mayView: boolean,
): Promise<PhotoView | null> {
  const [row] = await db
    .select()
    .from(photos)
    .where(and(eq(photos.mediaId, mediaId), sql`${photos.position} = ${position}`));
  return row ? photoView(row, mayView) : null;
}

function photoView(row: typeof photos.$inferSelect, mayView: boolean): PhotoView {
  const { mediaId, position, alt, width, height, color, isPreview } = row;
  if (!mayView && !isPreview) return { position, picture: null };
  const url = paths.mediaFile(mediaId, fileStems.photo(position));
  const picture = { alt, color, width, height, url, widths: photoWidths(width), formats: IMAGE_FORMATS };
  return { position, picture };
}
