import { sql } from "drizzle-orm";
import { refreshCounts } from "#app/domain/catalog/media/counts.server.ts";
import { slugify } from "#app/domain/catalog/media/slug.server.ts";
import { passOverCounts } from "#app/domain/viewing/media-totals.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import * as catalog from "#db/schema/catalog.ts";
import { creatorFiles, mediaFiles } from "#db/schema/catalog-files.ts";
import { mediaTrailers } from "#db/schema/encoding.ts";
import { demoId, storeDemoPortrait } from "./files.server.ts";
import { hasMedia } from "./has-demo.ts";
import { type MediaRows, storeDemoPhotoSet, storeDemoVideo } from "./media.server.ts";
import { insertDemoPeople } from "./people.server.ts";
import { type DemoCreator, readCatalogue } from "./read-catalogue.server.ts";

const AT_ONCE = 4;
const SEED_LOCK = 7_305_001;

/**
 * Fills a site that has no media with the demo catalog and its people. Files come first and all rows in one
 * transaction, so an interrupted run leaves nothing visible and the next run completes it. `onStep` reports progress,
 * counted in media and creators, only when there is work to do.
 */
export async function seedDemo(onStep: (done: number, total: number) => void = () => {}): Promise<void> {
  if (await hasMedia(db)) return;
  const now = new Date();
  const { creators, videos, photoSets } = await readCatalogue();
  let done = 0;
  const total = creators.length + videos.length + photoSets.length;
  const step = <Result>(result: Result) => {
    onStep(++done, total);
    return result;
  };
  onStep(done, total);
  const portraits = await inTurn(creators, (creator) => storeCreator(creator).then(step));
  const entries = await inTurn(
    [
      ...videos.map((video) => () => storeDemoVideo(video, now)),
      ...photoSets.map((set) => () => storeDemoPhotoSet(set, now)),
    ],
    (store) => store().then(step),
  );
  await db.transaction(async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${SEED_LOCK})`);
    if (await hasMedia(tx)) return;
    await tx.insert(catalog.creators).values(portraits.map(({ creator }) => creator));
    await tx.insert(creatorFiles).values(portraits.flatMap(({ files }) => files));
    const tagIds = await insertTags(
      tx,
      [...videos, ...photoSets].flatMap(({ tags }) => tags),
    );
    for (const rows of entries) await insertMedia(tx, rows, tagIds);
    await refreshCounts(undefined, tx);
    await passOverCounts(tx);
    await insertDemoPeople(tx, now);
  });
}

async function storeCreator({ key, look: _, ...facts }: DemoCreator) {
  const id = demoId("creator", key);
  const { files, color } = await storeDemoPortrait(key, id);
  return { creator: { ...facts, id, slug: key, color }, files };
}

async function insertTags(tx: Transaction, names: string[]): Promise<Map<string, string>> {
  const values = [...new Set(names)].map((name) => ({ name, slug: slugify(name) }));
  const rows = await tx
    .insert(catalog.tags)
    .values(values)
    .onConflictDoUpdate({ target: catalog.tags.slug, set: { name: sql`excluded.name` } })
    .returning();
  return new Map(rows.map(({ name, id }) => [name, id]));
}

async function insertMedia(tx: Transaction, rows: MediaRows, tagIds: Map<string, string>): Promise<void> {
  const mediaId = rows.media.id;
  await tx.insert(catalog.media).values(rows.media);
  if (rows.video) await tx.insert(catalog.videos).values(rows.video);
  if (rows.trailer) await tx.insert(mediaTrailers).values(rows.trailer);
  if (rows.photos.length > 0) await tx.insert(catalog.photos).values(rows.photos);
  await tx.insert(mediaFiles).values(rows.files);
  const credits = rows.entry.creators.map((key, position) => {
    return { mediaId, creatorId: demoId("creator", key), position };
  });
  if (credits.length > 0) await tx.insert(catalog.mediaCreators).values(credits);
  const tags = rows.entry.tags.flatMap((name) => tagIds.get(name) ?? []);
  if (tags.length > 0) await tx.insert(catalog.mediaTags).values(tags.map((tagId) => ({ mediaId, tagId })));
}

/** Runs a few at a time: pictures keep the processors busy, and files the disk. */
async function inTurn<Item, Result>(items: Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const runNext = async () => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, runNext));
  return results;
}
