import { sql } from "drizzle-orm";
import { refreshCounts } from "#app/domain/catalog/counts.server.ts";
import { slugWords } from "#app/domain/catalog/slug.ts";
import { db, type Transaction } from "../client.server.ts";
import * as catalog from "../schema/catalog.ts";
import { type DemoCreator, readCatalogue } from "./catalogue.server.ts";
import { demoId, storeDemoPortrait } from "./demo-files.server.ts";
import { insertDemoPeople } from "./demo-people.server.ts";
import { storeDemoPhotoSet, storeDemoVideo, type WorkRows } from "./demo-works.server.ts";
import { hasMedia } from "./has-media.ts";

const AT_ONCE = 4;
const SEED_LOCK = 7_305_001;

/**
 * Fills a site that has no media with the demo catalogue and its three people. Files come first and all rows in one
 * transaction, so an interrupted run leaves nothing that shows and the next one completes it. `onStep` hears of it, in
 * works and creators, only when there is something to do.
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
  const works = await inTurn(
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
    await tx.insert(catalog.creatorFiles).values(portraits.flatMap(({ files }) => files));
    const tagIds = await insertTags(
      tx,
      [...videos, ...photoSets].flatMap(({ tags }) => tags),
    );
    for (const rows of works) await insertWork(tx, rows, tagIds);
    await refreshCounts(undefined, tx);
    await insertDemoPeople(tx, now);
  });
}

async function storeCreator({ key, look: _, ...facts }: DemoCreator) {
  const id = demoId("creator", key);
  const { files, color } = await storeDemoPortrait(key, id);
  return { creator: { ...facts, id, slug: key, color }, files };
}

async function insertTags(tx: Transaction, names: string[]): Promise<Map<string, string>> {
  const values = [...new Set(names)].map((name) => ({ name, slug: slugWords(name) }));
  const rows = await tx
    .insert(catalog.tags)
    .values(values)
    .onConflictDoUpdate({ target: catalog.tags.slug, set: { name: sql`excluded.name` } })
    .returning();
  return new Map(rows.map(({ name, id }) => [name, id]));
}

async function insertWork(tx: Transaction, rows: WorkRows, tagIds: Map<string, string>): Promise<void> {
  const mediaId = rows.media.id;
  await tx.insert(catalog.media).values(rows.media);
  if (rows.video) await tx.insert(catalog.videos).values(rows.video);
  if (rows.photos.length > 0) await tx.insert(catalog.photos).values(rows.photos);
  await tx.insert(catalog.mediaFiles).values(rows.files);
  await tx
    .insert(catalog.mediaCreators)
    .values(
      rows.work.creators.map((key, position) => ({ mediaId, creatorId: demoId("creator", key), position })),
    );
  const tags = rows.work.tags.flatMap((name) => tagIds.get(name) ?? []);
  if (tags.length > 0) await tx.insert(catalog.mediaTags).values(tags.map((tagId) => ({ mediaId, tagId })));
}

/** A few at a time: pictures keep the processors busy, and files the disk. */
async function inTurn<Item, Result>(items: Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const work = async () => {
    for (const [index, item] of queue) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return results;
}
