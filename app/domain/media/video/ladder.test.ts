import { expect, test } from "vitest";
import { countSegments, planLadder } from "./ladder.ts";
import { planVideos } from "./renditions-plan.ts";

test.each([
  [3840, 2160, [2160, 1440, 1080, 720, 480, 360]],
  [2560, 1440, [1440, 1080, 720, 480, 360]],
  [1440, 2560, [1440, 1080, 720, 480, 360]],
  [1920, 1200, [1080, 720, 480, 360]],
  [5120, 2160, [1440, 1080, 720, 480, 360]],
  [8192, 4320, [2160, 1440, 1080, 720, 480, 360]],
  [854, 480, [480, 360]],
  [578, 326, [326]],
])("the ladder of a video of %i by %i has its sizes, and every MP4 has its rung", (width, height, sizes) => {
  const rungs = planLadder({ width, height });
  expect(rungs.map(({ size }) => size)).toEqual(sizes);
  const videos = planVideos({ width, height, isPlayable: false });
  expect(sizes).toEqual(expect.arrayContaining(videos.map((video) => Math.min(video.width, video.height))));
});

test("a segment is two to four seconds long, and never larger than players take at once", () => {
  for (let seconds = 4; seconds < 600; seconds += 0.7) {
    for (const height of [360, 1440, 2160]) {
      const size = { width: (height * 16) / 9, height };
      const every = seconds / countSegments({ seconds, ...size });
      expect(every).toBeGreaterThanOrEqual(2);
      expect(every).toBeLessThanOrEqual(4);
      for (const { ceiling, buffer, audioBits } of planLadder(size)) {
        expect((ceiling * (every + buffer) + audioBits * every) / 8).toBeLessThan(8 * 1024 ** 2);
      }
    }
  }
});
