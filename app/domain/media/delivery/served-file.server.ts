import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { creatorFiles, media, mediaFiles } from "#db/schema/catalog.ts";
import { mediaStorage } from "../storage/media-storage.server.ts";

/** What an answer is made of. */
export interface ServedFile {
  /** As in the table: safe in a header. */
  name: string;
  storageKey: string;
  contentType: string;
  bytes: number;
  /** Hex: the strong ETag. */
  hash: string;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** PostgreSQL refuses a NUL in a text, and no name of ours needs more than this. */
const FILE_NAME = /^[\w.-]{1,80}$/;
const AVATAR_NAME = /^([0-9a-f]{32})\.webp$/;

/** File and what the access rule asks of its media, in one statement. Null when there is no such file. */
export async function findMediaFile(mediaId: string, name: string) {
  if (!UUID.test(mediaId) || !FILE_NAME.test(name)) return null;
  const [row] = await db
    .select({
      name: mediaFiles.name,
      storageKey: mediaFiles.storageKey,
      contentType: mediaFiles.contentType,
      bytes: mediaFiles.bytes,
      hash: mediaFiles.sha256,
      needs: mediaFiles.needs,
      access: media.access,
      allowDownload: media.allowDownload,
      isLive: sql<boolean>`${media.status} = 'published' AND ${media.publishAt} <= now()
        AND (${media.expireAt} IS NULL OR ${media.expireAt} > now())`,
      isWithdrawn: sql<boolean>`${media.status} = 'withdrawn'`,
    })
    .from(mediaFiles)
    .innerJoin(media, eq(media.id, mediaFiles.mediaId))
    .where(and(eq(mediaFiles.mediaId, mediaId), eq(mediaFiles.name, name)));
  if (!row) return null;
  const { needs, access, allowDownload, isLive, isWithdrawn, ...file } = row;
  return { file, needs, media: { access, allowDownload, isLive, isWithdrawn } };
}

export async function findCreatorFile(creatorId: string, name: string): Promise<ServedFile | null> {
  if (!UUID.test(creatorId) || !FILE_NAME.test(name)) return null;
  const [file] = await db
    .select({
      name: creatorFiles.name,
      storageKey: creatorFiles.storageKey,
      contentType: creatorFiles.contentType,
      bytes: creatorFiles.bytes,
      hash: creatorFiles.sha256,
    })
    .from(creatorFiles)
    .where(and(eq(creatorFiles.creatorId, creatorId), eq(creatorFiles.name, name)));
  return file ?? null;
}

/** Avatars have no row: the name is a hash of the bytes. */
export async function findAvatarFile(userId: string, name: string): Promise<ServedFile | null> {
  const version = AVATAR_NAME.exec(name)?.[1];
  if (!version || !UUID.test(userId)) return null;
  const storageKey = `avatars/${userId}/${name}`;
  const stored = await mediaStorage.head(storageKey);
  return stored && { name, storageKey, contentType: "image/webp", bytes: stored.bytes, hash: version };
}
