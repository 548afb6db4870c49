import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Access } from "#app/domain/access/access.ts";
import type { PreparedMedia } from "#app/domain/media/intake/prepare.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import {
  creators,
  media,
  mediaCreators,
  mediaFiles,
  mediaTags,
  photos,
  tags,
  videos,
} from "#db/schema/catalog.ts";
import { refreshCountsOf } from "../media/counts.server.ts";
import { shortIdOf } from "../media/short-id.ts";
import { mediaSlug, romanizedSlug, slugify } from "../media/slug.server.ts";
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

async function findOrCreateCreator(tx: Transaction, name: string): Promise<string> {
  const known = await findCreatorByName(tx, name);
  if (known !== null) return known;
  const slug = await freeCreatorSlug(tx, name);
  const [created] = await tx.insert(creators).values({ slug, name }).returning({ id: creators.id });
  if (!created) throw new Error("the creator was not created");
  return created.id;
}

export async function findCreatorByName(executor: Executor, name: string): Promise<string | null> {
  const [known] = await executor
    .select({ id: creators.id })
    .from(creators)
    .where(
      sql`lower(${creators.name}) = lower(${name}) OR EXISTS (
        SELECT 1 FROM unnest(${creators.aliases}) alias WHERE lower(alias) = lower(${name}))`,
    )
    .limit(1);
  return known?.id ?? null;
}

async function freeCreatorSlug(tx: Transaction, name: string): Promise<string> {
  const words = romanizedSlug(name);
  const unique = [words, createHash("sha256").update(name).digest("hex").slice(0, 8)]
    .filter(Boolean)
    .join("-");
  if (words === "") return unique;
  const taken = await tx.select({ slug: creators.slug }).from(creators).where(eq(creators.slug, words));
  return taken.length === 0 ? words : unique;
}

async function label(tx: Transaction, mediaId: string, names: string[]): Promise<void> {
  const ids = new Set<string>();
  for (const name of names) ids.add(await findOrCreateTag(tx, name));
  if (ids.size === 0) return;
  await tx.insert(mediaTags).values([...ids].map((tagId) => ({ mediaId, tagId })));
}

/**
 * By name first, because a tag may have another slug than its name gives. Not romanized, because the same slug is the
 * same tag: 夜, 叶 and 业 would all be "ye".
 */
async function findOrCreateTag(tx: Transaction, name: string): Promise<string> {
  const slug = slugify(name) || name.toLowerCase();
  const isNamed = sql`lower(${tags.name}) = lower(${name})`;
  const [known] = await tx
    .select({ id: tags.id })
    .from(tags)
    .where(sql`${isNamed} OR ${tags.slug} = ${slug}`)
    .orderBy(sql`${isNamed} DESC`)
    .limit(1);
  if (known) return known.id;
  const [created] = await tx.insert(tags).values({ slug, name }).returning({ id: tags.id });
  if (!created) throw new Error("the tag was not created");
  return created.id;
}
