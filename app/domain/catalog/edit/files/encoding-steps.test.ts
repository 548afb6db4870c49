import { expect, test } from "vitest";
import { planSteps } from "./encoding-steps.ts";

test("a step waits only for the files that it reads", () => {
  const steps = planSteps({ width: 3840, height: 2160, audioTracks: 2 }, true);
  expect(Object.fromEntries(steps.map(({ step, after }) => [step, after.join(" ")]))).toEqual({
    source: "",
    ...Object.fromEntries([2160, 1440, 1080, 720, 480, 360].map((size) => [`rung-${size}`, "source"])),
    ...{ "sound-1": "rung-360", "sound-2": "rung-360" },
    ...{
      "video-1080": "rung-1080 sound-1",
      "video-720": "rung-720 sound-1",
      "video-360": "rung-360 sound-1",
    },
    ...{ candidate: "rung-1080", sprite: "rung-360", hover: "rung-360" },
  });
});

test("every step of a video of any size waits for one that is planned before it", () => {
  const lost: string[] = [];
  for (let short = 2; short <= 4320; short += short < 1300 ? 1 : 53) {
    for (const size of [
      { width: Math.round((short * 16) / 9), height: short },
      { width: short, height: Math.round(short * 2.4) },
    ]) {
      const planned = new Set<string>();
      for (const { step, after } of planSteps({ ...size, audioTracks: 1 + (short % 2) }, true)) {
        const isLost = step !== "source" && after.length === 0;
        if (isLost || after.some((each) => !planned.has(each)))
          lost.push(`${step} of ${size.width}x${size.height}`);
        planned.add(step);
      }
    }
  }
  expect(lost).toEqual([]);
});
