import { setTimeout as sleep } from "node:timers/promises";
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

test("a value is reloaded after its lifetime, and a failed reload shows no old value", async () => {
  const cached = createCache<number[]>(20);
  await cached("list", async () => [1]);
  await sleep(40);
  await expect(cached("list", () => Promise.reject(new Error("no answer")))).rejects.toThrow("no answer");
  expect(await cached("list", async () => [2])).toEqual([2]);
});

test("all values together stay below the limit in bytes, and the least recently used goes first", async () => {
  const cached = createCache<string[]>(LONG_MS, 1_000);
  const load = vi.fn(async () => ["x".repeat(400)]);
  for (const key of ["a", "b", "a", "c", "a", "b"]) await cached(key, load);
  expect(load).toHaveBeenCalledTimes(4);
});

test("a value larger than the whole limit is returned but not kept", async () => {
  const cached = createCache<string[]>(LONG_MS, 1_000);
  const load = vi.fn(async () => ["x".repeat(2_000)]);
  for (let time = 0; time < 2; time++) expect(await cached("list", load)).toHaveLength(1);
  expect(load).toHaveBeenCalledTimes(2);
});

test("a load that is evicted while it runs still answers its callers", async () => {
  const cached = createCache<string[]>(LONG_MS, 3);
  const slow = cached("slow", () => sleep(30, ["silk"]));
  const others = ["a", "b", "c", "d"].map((key) => cached(key, () => sleep(10, [key])));
  await Promise.all(others);
  expect(await slow).toEqual(["silk"]);
});
