import { expect, test } from "vitest";
import { neededBytes } from "./disk.server.ts";

test.each([
  ["a disk of two gigabytes", 2e9, 1e9],
  ["a disk that uploads and encoding leave a quarter of", 4e9, 1.5e9],
  ["a small disk", 10e9, 2e9],
  ["a disk of a small server", 40e9, 5e9],
  ["a large disk", 500e9, 25e9],
  ["a huge disk", 20e12, 50e9],
])("on %s so much must be free that its owner can make room for it", (_, totalBytes, bytes) => {
  expect(neededBytes(totalBytes)).toBe(bytes);
});
