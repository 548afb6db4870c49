import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { measureTrack } from "./packet-times.ts";
import { readingLimitMs } from "./packets.server.ts";

/** Pairs of the times of decoding and of presentation, in frames of a quarter of a second. */
function measure(...times: [decoded: number | null, shown: number | null][]) {
  return measureWith({ mayJump: true }, times);
}

function measureWith(options: { mayJump: boolean }, times: [decoded: number | null, shown: number | null][]) {
  const meter = measureTrack(options);
  for (const [index, [decoded, shown]] of times.entries()) {
    const seconds = (frames: number | null) => (frames === null ? null : frames / 4);
    meter.add({ decoded: seconds(decoded), shown: seconds(shown), duration: 0.25, isKey: index === 0 });
  }
  return meter.end();
}

test("packets that are each shown once, after decoding, are in order", () => {
  const plain = measure([0, 0], [1, 1], [2, 2], [3, 3]);
  expect(plain).toMatchObject({
    isOrderly: true,
    isReordered: false,
    spanSeconds: 1,
    coveredSeconds: 1,
    endSeconds: 1,
  });
  expect(measure([0, 1], [1, 4], [2, 2], [3, 3])).toMatchObject({ isOrderly: true, isReordered: true });
  expect(measure([null, 0], [null, 3], [0, 1], [1, 2])).toMatchObject({ isOrderly: true, isReordered: true });
  // As Matroska keeps a track whose times of presentation were lost, and MP4 one with a constant delay.
  expect(measure([null, 0], [null, 1], [0, 2], [1, 3])).toMatchObject({
    isOrderly: true,
    isReordered: false,
  });
  expect(measure([0, 1], [1, 2], [2, 3], [3, 4])).toMatchObject({ isOrderly: true, isReordered: false });
});

test.each<[string, [number | null, number | null][]]>([
  [
    "without a time of presentation",
    [
      [0, null],
      [1, null],
    ],
  ],
  [
    "shown before they are decoded",
    [
      [0, 0],
      [1, 0.5],
    ],
  ],
  [
    "shown twice",
    [
      [0, 0],
      [1, 2],
      [2, 2],
    ],
  ],
  [
    "decoded at one time",
    [
      [0, 0],
      [0, 1],
    ],
  ],
  [
    "whose clock goes back",
    [
      [0, 0],
      [1, 1],
      [0, 0.5],
      [1, 1.5],
    ],
  ],
  [
    "shown long after they are decoded",
    [
      [0, 0],
      [1, 41],
    ],
  ],
])("packets %s are not in order", (_, times) => {
  expect(measure(...times).isOrderly).toBe(false);
});

test("a jump of the clock adds nothing, and a long gap counts little", () => {
  expect(measure([0, 0], [1, 1], [0, 0], [1, 1])).toMatchObject({ spanSeconds: 1, coveredSeconds: 1 });
  expect(measure([0, 0], [400, 400])).toMatchObject({ spanSeconds: 0.5, coveredSeconds: 0.5 });
  const waits = measureWith({ mayJump: false }, [
    [0, 0],
    [400, 400],
  ]);
  expect(waits).toMatchObject({ spanSeconds: 100.25, coveredSeconds: 1.25 });
  expect(measure([0, 0], [20, 20])).toMatchObject({ spanSeconds: 5.25, coveredSeconds: 1.25 });
});

test("a larger file may be read for longer", async () => {
  const folder = await mkdtemp(join(tmpdir(), "peony-limit-"));
  const path = join(folder, "film.mkv");
  await writeFile(path, "x");
  expect(await readingLimitMs(path)).toBe(120_000);
  // The file is sparse.
  await truncate(path, 60_000_000_000);
  expect(await readingLimitMs(path)).toBe(12_000_000);
  await truncate(path, 60_000_000_001);
  expect(await readingLimitMs(path)).toBe(12_000_001);
  await rm(folder, { recursive: true });
});
