import { eq, sql } from "drizzle-orm";
import type { Access } from "#app/domain/access/access.ts";
import type { PreparedMedia } from "#app/domain/media/intake/prepare.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { media, mediaCreators, mediaFiles, mediaTags, photos, videos } from "#db/schema/catalog.ts";
import { refreshCountsOf } from "../media/counts.server.ts";
import { findOrCreateCreator, findOrCreateTag } from "../media/names.server.ts";
import { shortIdOf } from "../media/short-id.ts";
import { mediaSlug } from "../media/slug.server.ts";
import { statusFrom } from "../media/visibility.server.ts";

export interface ImportedFacts {
  title: string;
  description: string;
  creators: string[];
  tags: string[];
  publishAt: Date | null;
  access: Access;
}

/** Throws when the database does not answer. */
export async function checkDatabase(): Promise<void> {
  await db.execute(sql`SELECT 1`);
}

/** The item with this content; null when it is new. */
export async function findImported(contentHash: string): Promise<{ id: string; isDeleted: boolean } | null> {
  const [found] = await db
    .select({ id: media.id, status: media.status })
    .from(media)
    .where(eq(media.contentHash, contentHash));
  return found ? { id: found.id, isDeleted: found.status === "deleted" } : null;
}

export async function saveImported(prepared: PreparedMedia, facts: ImportedFacts): Promise<void> {
  const { mediaId, contentHash, color, width, height, video } = prepared;
  const shortId = shortIdOf(mediaId);
  const publishAt = facts.publishAt ? sql`${facts.publishAt.toISOString()}::timestamptz` : sql`now()`;
  await db.transaction(async (tx) => {
    await tx.insert(media).values({
      id: mediaId,
      type: video ? "video" : "photoSet",
      shortId,
      slug: mediaSlug(facts.title, shortId),
      title: facts.title,
      description: facts.description,
      publishAt,
      status: statusFrom(publishAt),
      access: facts.access,
      durationSeconds: video?.durationSeconds,
      photoCount: video ? null : prepared.photos.length,
      ...{ color, width, height, contentHash },
    });
    if (video) await tx.insert(videos).values({ mediaId, hasAudio: video.hasAudio, markers: video.markers });
    const count = prepared.photos.length;
    const rows = prepared.photos.map((photo) => {
      return { ...photo, mediaId, alt: `${facts.title}, photo ${photo.position} of ${count}` };
    });
    if (rows.length > 0) await tx.insert(photos).values(rows);
    for (const file of prepared.files) await tx.insert(mediaFiles).values(file);
    await credit(tx, mediaId, facts.creators);
    await label(tx, mediaId, facts.tags);
    await refreshCountsOf([mediaId], tx);
  });
}

async function credit(tx: Transaction, mediaId: string, names: string[]): Promise<void> {
  const ids = new Set<string>();
  for (const name of names) ids.add(await findOrCreateCreator(tx, name));
  if (ids.size === 0) return;
  await tx
    .insert(mediaCreators)
    .values([...ids].map((creatorId, position) => ({ mediaId, creatorId, position })));
}

async function label(tx: Transaction, mediaId: string, names: string[]): Promise<void> {
  const ids = new Set<string>();
  for (const name of names) ids.add(await findOrCreateTag(tx, name));
  if (ids.size === 0) return;
  await tx.insert(mediaTags).values([...ids].map((tagId) => ({ mediaId, tagId })));
}
