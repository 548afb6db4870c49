import { expect, test } from "vitest";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { findTotals } from "./counts.server.ts";
import { withdrawMedia } from "./publishing.server.ts";

test("the totals follow what is published, and what is credited to nobody counts too", async () => {
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
  await withdrawMedia(video.id);
  expect(await findTotals()).toEqual({ ...none, videos: 1, videoSeconds: 30, photoSets: 1, photos: 3 });
});
