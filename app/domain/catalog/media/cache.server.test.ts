import { expect, test, vi } from "vitest";
import { createCache } from "./cache.server.ts";

const LONG_MS = 60_000;

test("concurrent callers share one load, and later callers its result", async () => {
  const cached = createCache<string[]>(LONG_MS);
  const load = vi.fn(async () => ["silk"]);
  const both = await Promise.all([cached("list", load), cached("list", load)]);
  expect(both[0]).toBe(both[1]);
  expect(await cached("list", load)).toBe(both[0]);
  await cached("other", load);
  expect(load).toHaveBeenCalledTimes(2);
});

test("every caller of a failed load gets the error, and the next caller loads again", async () => {
  const cached = createCache<string[]>(LONG_MS);
  const fail = vi.fn(() => Promise.reject(new Error("no answer")));
  const results = await Promise.allSettled([cached("list", fail), cached("list", fail)]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(fail).toHaveBeenCalledTimes(1);
  expect(await cached("list", async () => ["silk"])).toEqual(["silk"]);
});

test("all values together stay below the limit in bytes, and the least recently used goes first", async () => {
  const cached = createCache<string[]>(LONG_MS, 1_000);
  const load = vi.fn(async () => ["x".repeat(400)]);
  for (const key of ["a", "b", "a", "c", "a", "b"]) await cached(key, load);
  expect(load).toHaveBeenCalledTimes(4);
});
