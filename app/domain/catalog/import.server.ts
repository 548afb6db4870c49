import { createHash } from "node:crypto";
import { eq, inArray, sql } from "drizzle-orm";
import type { Access } from "#app/domain/billing/access.ts";
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
import { refreshCountsOf } from "./counts.server.ts";
import { mediaSlug, shortIdOf, slugWords } from "./slug.ts";

export interface ImportedFacts {
  title: string;
  description: string;
  /** Names, in the order of credit. */
  creators: string[];
  tags: string[];
  publishAt: Date;
  access: Access;
}

export async function isImported(contentHash: string): Promise<boolean> {
  const rows = await db.select({ id: media.id }).from(media).where(eq(media.contentHash, contentHash));
  return rows.length > 0;
}

/** All rows of a video or set whose files are in place, published at once, or scheduled when its date is still to come. */
export async function saveImported(prepared: PreparedMedia, facts: ImportedFacts): Promise<void> {
  const { mediaId, contentHash, color, width, height, video } = prepared;
  const shortId = shortIdOf(mediaId);
  await db.transaction(async (tx) => {
    await tx.insert(media).values({
      id: mediaId,
      type: video ? "video" : "photoSet",
      shortId,
      slug: mediaSlug(facts.title, shortId),
      title: facts.title,
      description: facts.description,
      publishAt: facts.publishAt,
      status: sql`CASE WHEN ${facts.publishAt.toISOString()}::timestamptz <= now() THEN 'published' ELSE 'scheduled' END::media_status`,
      access: facts.access,
      durationSeconds: video?.durationSeconds,
      photoCount: video ? null : prepared.photos.length,
      ...{ color, width, height, contentHash },
    });
    if (video) await tx.insert(videos).values({ mediaId, hasAudio: video.hasAudio });
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

/** The id of the creator who answers to this name; a creator does so to every alias too. */
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
  const words = slugWords(name);
  const unique = [words, createHash("sha256").update(name).digest("hex").slice(0, 8)]
    .filter(Boolean)
    .join("-");
  if (words === "") return unique;
  const taken = await tx.select({ slug: creators.slug }).from(creators).where(eq(creators.slug, words));
  return taken.length === 0 ? words : unique;
}

async function label(tx: Transaction, mediaId: string, names: string[]): Promise<void> {
  const bySlug = new Map(names.map((name) => [slugWords(name) || name.toLowerCase(), name]));
  if (bySlug.size === 0) return;
  await tx
    .insert(tags)
    .values([...bySlug].map(([slug, name]) => ({ slug, name })))
    .onConflictDoNothing();
  const rows = await tx
    .select({ tagId: tags.id })
    .from(tags)
    .where(inArray(tags.slug, [...bySlug.keys()]));
  await tx.insert(mediaTags).values(rows.map(({ tagId }) => ({ mediaId, tagId })));
}
