import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { media, mediaTerms, tags } from "#db/schema/catalog.ts";
import { tasks } from "#scripts/worker/tasks.ts";
import { createPhotoSet, createVideo } from "#tests/support/media.ts";

test("ranking copies plays into the lists and counts the uses of tags, the hidden ones not", async () => {
  const { id } = await createVideo({ tags: ["Dusk", "Neon"] });
  await createVideo({ tags: ["Dusk"] });
  await createPhotoSet({ tags: ["Dusk"] });
  await createVideo({ tags: ["Neon"], status: "withdrawn" });
  await db.update(media).set({ playCount: 7 }).where(eq(media.id, id));
  await tasks["rank-media"]();
  const uses = { name: tags.name, videos: tags.videoUses, photoSets: tags.photoSetUses };
  expect(await db.select(uses).from(tags).orderBy(tags.name)).toEqual([
    { name: "Dusk", videos: 2, photoSets: 1 },
    { name: "Neon", videos: 1, photoSets: 0 },
  ]);
  const ranked = db.selectDistinct({ plays: mediaTerms.playCount }).from(mediaTerms);
  expect(await ranked.where(eq(mediaTerms.mediaId, id))).toEqual([{ plays: 7 }]);
});
