import { expect, test } from "vitest";
import { mayKeepRate, planFirst, planVideos } from "./renditions-plan.ts";

test.each([
  [1280, 718, ["1280x718", "642x360"]],
  [1920, 1072, ["1920x1072", "1290x720", "644x360"]],
  [854, 480, ["854x480", "640x360"]],
  [3840, 2160, ["1920x1080", "1280x720", "640x360"]],
  [1080, 1920, ["1080x1920", "720x1280", "360x640"]],
  [640, 360, ["640x360"]],
  [650, 366, ["650x366"]],
  [321, 241, ["322x242"]],
  [5, 3, ["6x4"]],
])("a video of %i by %i gets its own size first, then the usual ones below", (width, height, sizes) => {
  const planned = planVideos({ width, height, isPlayable: false });
  expect(planned.map((video) => `${video.width}x${video.height}`)).toEqual(sizes);
  expect(planned.some(({ isCopy }) => isCopy)).toBe(false);
});

test("a playable video is kept up to 1080p", () => {
  expect(planVideos({ width: 1280, height: 720, isPlayable: true })).toEqual([
    { width: 1280, height: 720, isCopy: true },
    { width: 640, height: 360, isCopy: false },
  ]);
  expect(planVideos({ width: 2560, height: 1440, isPlayable: true })[0]).toMatchObject({
    height: 1080,
    isCopy: false,
  });
});

test.each([
  ["a copy of what browsers play", 720, true, { height: 720, isCopy: true }],
  ["the smallest size of what they do not", 720, false, { height: 360, isCopy: false }],
  ["the smallest size of a source above 1080p", 2160, true, { height: 360, isCopy: false }],
])("a video is first watchable as %s", (_, height, isPlayable, made) => {
  expect(planFirst({ width: (height * 16) / 9, height, isPlayable })).toMatchObject(made);
});

test("a source above 12 Mbit/s is never copied", () => {
  expect(mayKeepRate({ bytes: 12_000_000, seconds: 8 })).toBe(true);
  expect(mayKeepRate({ bytes: 12_100_000, seconds: 8 })).toBe(false);
});
