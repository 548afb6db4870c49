import { eq, sql } from "drizzle-orm";
import type { PreparedMedia, PreparedVideo } from "#app/domain/media/import/prepare.ts";
import { generatedAlt } from "#app/domain/media/item-texts.ts";
import { fileStems } from "#app/domain/media/renditions.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, retryDeadlock, type Transaction } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { media, mediaCreators, mediaTags, photos, videos } from "#db/schema/catalog.ts";
import { mediaFiles, mediaOriginals } from "#db/schema/catalog-files.ts";
import { queueEncoding, saveBegun } from "../edit/files/queue-encoding.server.ts";
import { readItem, valuesOf } from "../edit/item/items.server.ts";
import { writeFields } from "../edit/item/write-fields.server.ts";
import type { TransitionName } from "../edit/states/media-states.ts";
import { applyTransition, type TransitionDetails } from "../edit/states/transitions.server.ts";
import { showMade } from "../encoding/claims.server.ts";
import { sourceToStore } from "../encoding/step-sources.server.ts";
import type { MediaState } from "../media/media.server.ts";
import { findOrCreateNames } from "../media/names.server.ts";
import { shortIdOf } from "../media/short-id.ts";
import { mediaSlug } from "../media/slug.server.ts";
import { type Facts, normalizedFacts, type PhotoFacts } from "./sidecar-facts.server.ts";

/** The host runs it, and may do everything. */
export const IMPORT_ACTOR: Actor = { id: null, name: "media:import", role: "owner" };

export interface KnownMedia {
  id: string;
  state: MediaState;
}

interface NewMedia {
  facts: Facts;
  /** Of the photos that the sidecar names. */
  photoFacts: PhotoFacts;
  photoIds: string[];
}

export interface Release {
  state: MediaState;
  problem: string | null;
}

export async function checkDatabase(): Promise<void> {
  await db.execute(sql`SELECT 1`);
}

export async function findImported(contentHash: string): Promise<KnownMedia | null> {
  const [found] = await db
    .select({ id: media.id, state: media.status })
    .from(media)
    .where(eq(media.contentHash, contentHash));
  return found ?? null;
}

/** Publishes the draft in the same transaction if that is wanted and possible. */
export async function saveImported(
  prepared: PreparedMedia,
  { facts, photoFacts, photoIds }: NewMedia,
  { isPublishing, actor }: { isPublishing: boolean; actor: Actor },
): Promise<Release> {
  const { mediaId, contentHash, color, width, height, video } = prepared;
  const shortId = shortIdOf(mediaId);
  return retryDeadlock(async (tx) => {
    await tx.insert(media).values({
      id: mediaId,
      type: video ? "video" : "photoSet",
      shortId,
      slug: mediaSlug(facts.title, shortId),
      title: facts.title,
      description: facts.description,
      producedOn: facts.producedOn,
      publishAt: dateOf(facts.publishAt),
      expireAt: dateOf(facts.expireAt),
      access: facts.access,
      allowDownload: facts.allowDownload,
      shootId: facts.shoot,
      durationSeconds: video?.durationSeconds,
      photoCount: video ? null : prepared.photos.length,
      ...{ color, width, height, contentHash },
    });
    if (video) await tx.insert(videos).values({ mediaId, hasAudio: video.hasAudio, markers: facts.chapters });
    const count = prepared.photos.length;
    const rows = prepared.photos.map((photo, index) => {
      return {
        ...photo,
        id: photoIds[index],
        mediaId,
        alt: generatedAlt(facts.title, photo.position, count),
      };
    });
    if (rows.length > 0) await tx.insert(photos).values(rows);
    for (const file of prepared.files) await tx.insert(mediaFiles).values(file);
    for (const original of prepared.originals) await tx.insert(mediaOriginals).values(original);
    if (video) await queueVideo(tx, mediaId, video);
    await addTags(tx, mediaId, facts.tags);
    await addCredits(tx, mediaId, facts.creators);
    const item = await readItem(tx, mediaId);
    if (item === null) throw new Error("the item was not stored");
    await writeFields(tx, item, "photos", photoFacts);
    const stored = normalizedFacts({
      ...Object.assign({}, ...Object.values(valuesOf(item))),
      publishAt: facts.publishAt,
    });
    await writeImported(tx, mediaId, { ...stored, ...photoFacts });
    const release = isPublishing ? await publish(tx, actor, mediaId, facts.publishAt) : DRAFT;
    const subject = { subjectKind: "media", subjectId: mediaId, subjectName: facts.title } as const;
    await recordAudit(tx, { actor, action: "media.imported", ...subject });
    return release;
  });
}

async function queueVideo(
  tx: Transaction,
  mediaId: string,
  { begun, isOriginalTemporary }: PreparedVideo,
): Promise<void> {
  await queueEncoding(tx, mediaId, { dropsOriginal: isOriginalTemporary });
  if (begun === null) return;
  const { gains, files, video } = begun;
  const source = sourceToStore({ video: { ...video, input: [] }, gains, isOriginal: true });
  await saveBegun(tx, mediaId, { source, warnings: video.warnings, files });
  // The smallest size may be the only one.
  await showMade(tx, mediaId, fileStems.rung);
}

const DRAFT: Release = { state: "draft", problem: null };

async function publish(
  tx: Transaction,
  actor: Actor,
  mediaId: string,
  publishAt: string | null,
): Promise<Release> {
  const { name, details } = releaseFor(publishAt, await readDatabaseTime(tx));
  const result = await applyTransition(tx, actor, mediaId, name, details);
  return result.done ? { state: result.state, problem: null } : { ...DRAFT, problem: result.problem };
}

/** `now`: by the database's clock. */
export function releaseFor(
  publishAt: string | null,
  now: Date,
): { name: TransitionName; details: TransitionDetails } {
  const date = dateOf(publishAt);
  return date !== null && date > now
    ? { name: "schedule", details: { publishAt: date } }
    : { name: "publish", details: {} };
}

export async function writeImported(tx: Transaction, mediaId: string, facts: object): Promise<void> {
  await tx.execute(sql`UPDATE media SET imported = ${JSON.stringify(facts)}::jsonb WHERE id = ${mediaId}`);
}

async function addCredits(tx: Transaction, mediaId: string, names: string[]): Promise<void> {
  const found = await findOrCreateNames(tx, "creator", names);
  const ids = [...new Set(found.ids)];
  if (ids.length === 0) return;
  await tx.insert(mediaCreators).values(ids.map((creatorId, position) => ({ mediaId, creatorId, position })));
}

async function addTags(tx: Transaction, mediaId: string, names: string[]): Promise<void> {
  const found = await findOrCreateNames(tx, "tag", names);
  const ids = [...new Set(found.ids)];
  if (ids.length === 0) return;
  await tx.insert(mediaTags).values(ids.map((tagId) => ({ mediaId, tagId })));
}

function dateOf(moment: string | null): Date | null {
  return moment === null ? null : new Date(moment);
}
