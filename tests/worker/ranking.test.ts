import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { findTotals } from "#app/domain/catalog/media/counts.server.ts";
import { db } from "#db/client.server.ts";
import { creators, media, tags } from "#db/schema/catalog.ts";
import { tasks } from "#scripts/worker/tasks.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";

test("ranking copies plays into the lists and counts the uses of tags, the hidden ones not", async () => {
  const { id } = await createVideo({ tags: ["Dusk", "Neon"] });
  await createVideo({ tags: ["Dusk"] });
  await createPhotoSet({ tags: ["Dusk"] });
  await createVideo({ tags: ["Neon"], status: "takenDown" });
  await db.update(media).set({ playCount: 7 }).where(eq(media.id, id));
  await tasks["rank-media"]();
  const uses = { name: tags.name, videos: tags.videoUses, photoSets: tags.photoSetUses };
  expect(await db.select(uses).from(tags).orderBy(tags.name)).toEqual([
    { name: "Dusk", videos: 2, photoSets: 1 },
    { name: "Neon", videos: 1, photoSets: 0 },
  ]);
  const ranked = db.select({ plays: media.rankedPlays }).from(media);
  expect(await ranked.where(eq(media.id, id))).toEqual([{ plays: 7 }]);
});

test("counts follow what a host removes in the database itself", async () => {
  const creator = await createCreator();
  const [removed, hidden] = [
    await createVideo({ creators: [creator.id], durationSeconds: 30 }),
    await createPhotoSet({ creators: [creator.id], photos: 2 }),
  ];
  await createVideo({ creators: [creator.id], durationSeconds: 5 });
  const before = await findTotals();
  await db.delete(media).where(eq(media.id, removed.id));
  await db.update(media).set({ status: "takenDown" }).where(eq(media.id, hidden.id));
  await tasks["rank-media"]();
  const counts = { videos: creators.videoCount, photoSets: creators.photoSetCount };
  expect(await db.select(counts).from(creators).where(eq(creators.id, creator.id))).toEqual([
    { videos: 1, photoSets: 0 },
  ]);
  expect(await findTotals()).toEqual({
    ...before,
    videos: before.videos - 1,
    videoSeconds: before.videoSeconds - 30,
    photoSets: before.photoSets - 1,
    photos: before.photos - 2,
  });
});
