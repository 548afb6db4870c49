import { afterEach, expect, test, vi } from "vitest";
import { loadAhead } from "./load-ahead.ts";

afterEach(() => void vi.useRealTimers());

test("a click takes what the pointer has loaded of the same set, and nothing of another or old one", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  let loads = 0;
  const list = loadAhead(async (address) => `${address} ${++loads}`);
  list.begin("a");
  expect([await list.get("a"), await list.get("a")]).toEqual(["a 1", "a 1"]);
  expect(await list.get("b")).toBe("b 2");
  vi.advanceTimersByTime(10_000);
  expect(await list.get("b")).toBe("b 3");
  list.forget();
  expect(await list.get("b")).toBe("b 4");
});

test("a click tries again after a failure, and a pointer does not", async () => {
  let loads = 0;
  const list = loadAhead(async () => {
    if (++loads === 1) throw new Error("no network");
    return loads;
  });
  list.begin("a");
  await Promise.resolve();
  list.begin("a");
  expect(loads).toBe(1);
  expect(await list.get("a")).toBe(2);
});
