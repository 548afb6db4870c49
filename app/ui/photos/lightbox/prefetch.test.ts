import { afterEach, expect, test, vi } from "vitest";
import { createPrefetch } from "./prefetch.ts";

afterEach(() => void vi.useRealTimers());

test("a click uses what the pointer has loaded of the same set, unless it is old", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  let loads = 0;
  const prefetch = createPrefetch(async (address) => `${address} ${++loads}`);
  prefetch.begin("a");
  expect([await prefetch.get("a"), await prefetch.get("a")]).toEqual(["a 1", "a 1"]);
  expect(await prefetch.get("b")).toBe("b 2");
  vi.advanceTimersByTime(10_000);
  expect(await prefetch.get("b")).toBe("b 3");
  prefetch.forget();
  expect(await prefetch.get("b")).toBe("b 4");
});

test("a click retries a failure, and a pointer does not", async () => {
  let loads = 0;
  const prefetch = createPrefetch(async () => {
    if (++loads === 1) throw new Error("no network");
    return loads;
  });
  prefetch.begin("a");
  await Promise.resolve();
  prefetch.begin("a");
  expect(loads).toBe(1);
  expect(await prefetch.get("a")).toBe(2);
});
