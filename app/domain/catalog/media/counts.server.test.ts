import { setTimeout as sleep } from "node:timers/promises";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { media } from "#db/schema/catalog.ts";
import { createCreator, createPhotoSet, createVideo, HOST } from "#tests/support/media.ts";
import { changeState } from "../edit/states/transitions.server.ts";
import { findTotals, refreshCountsOf } from "./counts.server.ts";

test("the totals follow what is published, including media credited to nobody", async () => {
  const none = { videos: 0, videoSeconds: 0, photoSets: 0, photos: 0, creators: 0 };
  expect(await findTotals()).toEqual(none);
  const [creator] = [await createCreator(), await createCreator()];
  const video = await createVideo({ creators: [creator.id], durationSeconds: 90 });
  await createVideo({ durationSeconds: 30 });
  await createVideo({ status: "draft" });
  await createVideo({ status: "scheduled" });
  const totals = { videos: 2, videoSeconds: 120, photoSets: 0, photos: 0, creators: 1 };
  expect(await findTotals()).toEqual(totals);
  await createPhotoSet({ photos: 3 });
  expect(await findTotals()).toEqual({ ...totals, photoSets: 1, photos: 3 });
  await changeState(HOST, video.id, "takeDown", { reason: "A complaint" });
  expect(await findTotals()).toEqual({ ...none, videos: 1, videoSeconds: 30, photoSets: 1, photos: 3 });
});

test("two concurrent publications count each other's media", async () => {
  const draft = (title: string) => createVideo({ status: "draft", durationSeconds: 10, title });
  const first = await draft("Velvet");
  const second = await draft("Marble");
  const before = await findTotals();
  const publish = (id: string, beforeCommit: () => Promise<void>) =>
    db.transaction(async (tx) => {
      await tx.update(media).set({ status: "published", publishAt: sql`now()` }).where(eq(media.id, id));
      await refreshCountsOf([id], tx);
      await beforeCommit();
    });
  let other: Promise<void> | undefined;
  await publish(first.id, async () => {
    other = publish(second.id, async () => {});
    // Long enough for the other to count, if it did not wait.
    await sleep(500);
  });
  await other;
  expect(await findTotals()).toMatchObject({
    videos: before.videos + 2,
    videoSeconds: before.videoSeconds + 20,
  });
});
