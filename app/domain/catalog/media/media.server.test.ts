import { expect, test } from "vitest";
import { createCreator, createVideo } from "#tests/support/media.ts";
import { findMedia } from "./media.server.ts";
import { shortIdOf } from "./short-id.ts";

const HOUR_MS = 3_600_000;
const inAnHour = () => new Date(Date.now() + HOUR_MS);

test("media is found by the end of its slug, so an old address still leads to it", async () => {
  const ann = await createCreator({ name: "Ann" });
  const video = await createVideo({ title: "Silk Hour", creators: [ann.id], tags: ["Slow light"] });
  const found = await findMedia("video", `an-old-title-${shortIdOf(video.id)}`);
  expect(found).toMatchObject({ id: video.id, slug: video.slug, isLive: true, isTakenDown: false });
  expect(found?.creators).toEqual([{ id: ann.id, slug: ann.slug, name: "Ann" }]);
  expect(found?.tags).toEqual([{ slug: "slow-light", name: "Slow light" }]);
});

test("an unknown slug, a slug without an id and the wrong type find nothing", async () => {
  const video = await createVideo();
  expect(await findMedia("photoSet", video.slug)).toBeNull();
  expect(await findMedia("video", "nothing-00000000")).toBeNull();
  for (const slug of ["x", "", "%%%%", "'; DROP TABLE media; --"]) {
    expect(await findMedia("video", slug)).toBeNull();
  }
});

test("only published media inside its dates is live", async () => {
  const isLive = async (media: { slug: string }) => (await findMedia("video", media.slug))?.isLive;
  expect(await isLive(await createVideo({ status: "draft" }))).toBe(false);
  expect(await isLive(await createVideo({ publishAt: inAnHour() }))).toBe(false);
  expect(await isLive(await createVideo({ expireAt: new Date(Date.now() - 1000) }))).toBe(false);
  expect(await isLive(await createVideo({ expireAt: inAnHour() }))).toBe(true);
});

test.each([
  ["Белая ночь", "belaya-noch"],
  ["夜の海", "ye-no-hai"],
  ["夜と霧 3", "ye-to-wu-3"],
])("%s has an address in Latin letters, of which only the end counts", async (title, words) => {
  const { id, slug } = await createVideo({ title });
  expect(slug).toBe(`${words}-${shortIdOf(id)}`);
  for (const other of [shortIdOf(id), `-${shortIdOf(id)}`, `3-${shortIdOf(id)}`]) {
    expect(await findMedia("video", other)).toMatchObject({ id, slug });
  }
});
