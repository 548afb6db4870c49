import { createHash, randomUUID } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Access } from "#app/domain/access/access.ts";
import { claimFileVersion } from "#app/domain/catalog/edit/files/replace-files.server.ts";
import { refreshCountsOf } from "#app/domain/catalog/media/counts.server.ts";
import type { MediaState } from "#app/domain/catalog/media/media.server.ts";
import { shortIdOf } from "#app/domain/catalog/media/short-id.ts";
import { mediaSlug, slugify } from "#app/domain/catalog/media/slug.server.ts";
import { COVER_WIDTHS, coverHeight, fileNames, IMAGE_FORMATS } from "#app/domain/media/renditions.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { originalKey } from "#app/domain/media/store-file.server.ts";
import { PLAYLIST_TYPE } from "#app/domain/media/video/playlist.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { type MediaType, paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { creators, media, mediaCreators, mediaTags, photos, tags, videos } from "#db/schema/catalog.ts";
import { creatorFiles, mediaFiles, mediaOriginals, type OriginalProbe } from "#db/schema/catalog-files.ts";

const VIDEO_HEIGHT = 360;
const PHOTO_WIDTH = 480;

interface MediaOptions {
  title?: string;
  description?: string;
  access?: Access;
  status?: MediaState;
  publishAt?: Date | null;
  expireAt?: Date;
  allowDownload?: boolean;
  shootId?: string;
  playCount?: number;
  /** The ids of creators. */
  creators?: string[];
  /** The names of tags. */
  tags?: string[];
  /** Writes a small file for every row of media_files. */
  withFiles?: boolean;
}

/** May do everything, as a host may at the command line. */
export const HOST: Actor = { id: null, name: "a test", role: "owner" };

export interface TestMedia {
  id: string;
  type: MediaType;
  slug: string;
  title: string;
}

export async function createCreator(
  given: { name?: string; aliases?: string[]; bio?: string; withFiles?: boolean } = {},
): Promise<{ id: string; slug: string; name: string }> {
  const id = randomUUID();
  const name = given.name ?? `Creator ${shortIdOf(id)}`;
  const slug = `${slugify(name)}-${shortIdOf(id)}`;
  await db
    .insert(creators)
    .values({ id, slug, name, aliases: given.aliases ?? [], bio: given.bio ?? "", portraitAlt: name });
  const files = cropped("portrait", fileNames.portrait).map(({ name: fileName, ...file }) => ({
    ...file,
    ...contentOf(fileName),
    creatorId: id,
    name: fileName,
    storageKey: `creators/${id}/${fileName}`,
  }));
  await db.insert(creatorFiles).values(files.map(here));
  if (given.withFiles) await writeAll(files);
  return { id, slug, name };
}

export async function createVideo(
  given: MediaOptions & { durationSeconds?: number } = {},
): Promise<TestMedia> {
  const row = mediaRow("video", given);
  const durationSeconds = given.durationSeconds ?? 600;
  await db.insert(media).values({ ...row, durationSeconds, width: 640, height: VIDEO_HEIGHT });
  await db.insert(videos).values({ mediaId: row.id });
  const name = fileNames.video(VIDEO_HEIGHT);
  const file = { name, contentType: "video/mp4", needs: "view" as const, width: 640, height: VIDEO_HEIGHT };
  return finish(row, given, [file]);
}

/** The first `previews` photos are open to everyone past the age gate. */
export async function createPhotoSet(
  given: MediaOptions & { photos?: number; previews?: number } = {},
): Promise<TestMedia> {
  const row = mediaRow("photoSet", given);
  const photoCount = given.photos ?? 3;
  await db.insert(media).values({ ...row, photoCount });
  const positions = Array.from({ length: photoCount }, (_, index) => index + 1);
  const isPreview = (position: number) => position <= (given.previews ?? 0);
  if (photoCount > 0) {
    await db.insert(photos).values(
      positions.map((position) => ({
        mediaId: row.id,
        number: position,
        position,
        alt: `Photo ${position}`,
        width: PHOTO_WIDTH,
        height: 600,
        widest: PHOTO_WIDTH,
        isPreview: isPreview(position),
        sourceHash: contentOf(`Photo ${position}`).sha256,
      })),
    );
  }
  const files = positions.flatMap((position) =>
    IMAGE_FORMATS.map((format) => ({
      name: fileNames.photo(position, PHOTO_WIDTH, format),
      contentType: `image/${format}`,
      needs: isPreview(position) ? ("preview" as const) : ("view" as const),
      width: PHOTO_WIDTH,
      height: 600,
    })),
  );
  return finish(row, given, files);
}

/** Keeps `bytes` as the original of a video, or of a photo. */
export async function createOriginal(
  mediaId: string,
  bytes: Uint8Array,
  { photo = null, fileName = "original.mov" }: { photo?: number | null; fileName?: string } = {},
): Promise<{ path: string; storageKey: string; hash: string }> {
  const storageKey = originalKey(mediaId, photo);
  await mediaStorage.put(storageKey, bytes);
  const hash = createHash("sha256").update(bytes).digest("hex");
  const size = { width: 640, height: 360 };
  const probe: OriginalProbe =
    photo === null
      ? {
          ...{ kind: "video", container: "mov", codec: "h264", pixelFormat: "yuv420p", rotation: 0 },
          ...{ seconds: 600, sound: "aac" },
          ...size,
        }
      : { kind: "photo", format: "jpeg", ...size };
  const stored = { storageKey, bytes: bytes.byteLength, sha256: hash };
  await db.insert(mediaOriginals).values({ mediaId, photoNumber: photo, fileName, probe, ...here(stored) });
  return { path: paths.studioOriginal(mediaId, photo ?? 1), storageKey, hash };
}

function mediaRow(type: MediaType, given: MediaOptions) {
  const id = randomUUID();
  const shortId = shortIdOf(id);
  const status = given.status ?? "published";
  const title = given.title ?? `${type === "video" ? "Film" : "Set"} ${shortId}`;
  return {
    id,
    type,
    shortId,
    slug: mediaSlug(title, shortId),
    title,
    description: given.description ?? "",
    access: given.access ?? ("subscriber" as const),
    status,
    publishAt:
      given.publishAt === undefined && status !== "draft"
        ? new Date(Date.now() - 60_000)
        : (given.publishAt ?? null),
    ...wasPublic(status),
    expireAt: given.expireAt ?? null,
    allowDownload: given.allowDownload ?? false,
    shootId: given.shootId ?? null,
    playCount: given.playCount ?? 0,
    rankedPlays: given.playCount ?? 0,
  };
}

/** Where a hidden or taken-down item comes from. */
function wasPublic(status: MediaState) {
  const now = new Date();
  if (status === "hidden") return { firstPublishedAt: now, hiddenFrom: "published" as const };
  if (status !== "takenDown" && status !== "deleted") return {};
  const takedown = { takenDownFrom: "published" as const, takenDownAt: now, takenDownReason: "A test" };
  return { firstPublishedAt: now, ...takedown, deletedAt: status === "deleted" ? now : null };
}

type FileFacts = Pick<typeof mediaFiles.$inferInsert, "name" | "contentType" | "needs" | "width" | "height">;

async function finish(row: ReturnType<typeof mediaRow>, given: MediaOptions, own: FileFacts[]) {
  const covers = cropped(row.type, fileNames.cover).map((file) => ({ ...file, needs: "see" as const }));
  const blur = {
    name: fileNames.blur(),
    contentType: "image/webp",
    needs: "see" as const,
    width: 480,
    height: coverHeight(row.type, 480),
  };
  const files = [...covers, blur, ...own].map((file) => ({
    ...file,
    ...contentOf(file.name),
    mediaId: row.id,
    storageKey: `media/${row.id}/${file.name}`,
  }));
  await db.insert(mediaFiles).values(files.map(here));
  await credit(row.id, given);
  if (given.withFiles) await writeAll(files);
  const { id, type, slug, title } = row;
  return { id, type, slug, title };
}

async function credit(mediaId: string, given: MediaOptions): Promise<void> {
  for (const [position, creatorId] of (given.creators ?? []).entries()) {
    await db.insert(mediaCreators).values({ mediaId, creatorId, position });
  }
  for (const name of given.tags ?? []) {
    const [tag] = await db
      .insert(tags)
      .values({ name, slug: slugify(name) })
      .onConflictDoUpdate({ target: tags.slug, set: { name } })
      .returning({ id: tags.id });
    if (tag) await db.insert(mediaTags).values({ mediaId, tagId: tag.id });
  }
  await refreshCountsOf([mediaId]);
}

function cropped(type: MediaType | "portrait", nameOf: typeof fileNames.cover) {
  return COVER_WIDTHS.flatMap((width) =>
    IMAGE_FORMATS.map((format) => ({
      name: nameOf(width, format),
      contentType: `image/${format}`,
      width,
      height: coverHeight(type, width),
    })),
  );
}

/** Files of each kind that the worker makes of a video, as one of its runs stores them. Returns their version. */
export async function createEncoded(mediaId: string): Promise<number> {
  const version = (await claimFileVersion(mediaId)) ?? 0;
  const playlist = { bandwidth: 900_000, codecs: "avc1.64001f,mp4a.40.2", width: 640, height: VIDEO_HEIGHT };
  const files = [
    { name: fileNames.rung(VIDEO_HEIGHT), contentType: "video/mp4", needs: "view" as const },
    {
      ...{ name: fileNames.rungPlaylist(VIDEO_HEIGHT), contentType: PLAYLIST_TYPE, needs: "view" as const },
      ...playlist,
    },
    ...(["en", "de"] as const).flatMap((language, at) => [
      { name: fileNames.rungAudio(at + 1), contentType: "video/mp4", needs: "view" as const },
      {
        ...{ name: fileNames.rungAudioPlaylist(at + 1), contentType: PLAYLIST_TYPE, needs: "view" as const },
        ...{ bandwidth: 160_000, codecs: "mp4a.40.2", language, label: language },
      },
    ]),
    { name: fileNames.candidate(1), contentType: "image/webp", needs: "edit" as const },
    { name: fileNames.sprite(1), contentType: "image/webp", needs: "view" as const },
    { name: fileNames.spriteTimes(), contentType: "text/vtt; charset=utf-8", needs: "view" as const },
    { name: fileNames.hover(), contentType: "video/mp4", needs: "view" as const },
    { name: fileNames.trailer(), contentType: "video/mp4", needs: "see" as const },
    { name: fileNames.trailerHover(), contentType: "video/mp4", needs: "see" as const },
  ].map((file) => ({
    ...file,
    ...contentOf(file.name),
    ...{ mediaId, version, storageKey: `media/${mediaId}/${version}/${file.name}` },
  }));
  await db.insert(mediaFiles).values(files.map(here));
  await writeAll(files);
  return version;
}

/** The content of a test file is its own name. */
function contentOf(name: string) {
  const sha256 = createHash("sha256").update(name).digest("hex");
  return { bytes: Buffer.byteLength(name), sha256, crc32: crc32(name) };
}

async function writeAll(files: { name: string; storageKey: string }[]): Promise<void> {
  for (const { name, storageKey } of files) {
    await mediaStorage.put(storageKey, Buffer.from(name));
  }
}

function here<Row>(row: Row) {
  return { ...row, storage: mediaStorage.place };
}
