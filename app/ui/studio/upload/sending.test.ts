import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { sendFile } from "./send-file.ts";
import { sender } from "./sending.ts";

/** A site that takes a tenth of a second for each file. */
const site = vi.hoisted(() => ({
  answer: (_id: string): number => 204,
  open: 0,
  mostOpen: 0,
  requests: [] as { id: string; status: number; othersOpen: number }[],
}));
vi.mock("./send-file.ts", () => ({
  FULL: 507,
  sendFile: (async (id, _file, on) => {
    const status = site.answer(id);
    site.requests.push({ id, status, othersOpen: site.open });
    site.open += 1;
    site.mostOpen = Math.max(site.mostOpen, site.open);
    const end = (say: () => void) => () => {
      site.open -= 1;
      say();
    };
    const failure = { status, sentence: "", retryAfterSeconds: null, isFileGone: false };
    const stored = () => {
      on.onStored();
      on.onSuccess();
    };
    const timer = setTimeout(end(status === 204 ? stored : () => on.onFailure(failure)), 100);
    const abort = async () => {
      clearTimeout(timer);
      site.open -= 1;
    };
    return { abort };
  }) satisfies typeof sendFile,
}));

const ids = Array.from({ length: 1_000 }, (_, index) => String(index));
const chosen = ids.map((id) => ({ id, name: id, file: new File(["x"], id), sentBytes: 0 }));
const sent = () => [...sender.read().files.values()].filter(({ state }) => state === "sent").length;
const failures = () => site.requests.filter(({ status }) => status !== 204);

beforeEach(() => {
  vi.useFakeTimers();
  Object.assign(site, { answer: () => 204, open: 0, mostOpen: 0, requests: [] });
});
afterEach(() => {
  sender.forget(ids);
  vi.useRealTimers();
});

test.each([
  ["a session that has ended", 401],
  ["a site that does not answer", 0],
  ["a site that is unavailable", 503],
])("one of a thousand files at a time asks about %s, and all are sent when it is over", async (_, status) => {
  site.answer = () => status;
  sender.add(chosen);
  await vi.advanceTimersByTimeAsync(60_000);
  // Two at first, then one at a time every five seconds for each of the two.
  expect(site.requests.length).toBeGreaterThan(2 + 5);
  expect(site.requests.length).toBeLessThanOrEqual(2 + 2 * 12);
  expect(site.requests.slice(2).filter(({ othersOpen }) => othersOpen > 0)).toEqual([]);
  const states = new Set([...sender.read().files.values()].map(({ state }) => state));
  expect(states).toEqual(new Set([status === 401 ? "signedOut" : "waiting", "queued"]));
  site.answer = () => 204;
  await vi.advanceTimersByTimeAsync(5_000 + 2 * 50_000);
  expect(sent()).toBe(ids.length);
  expect(site.mostOpen).toBe(2);
  expect(site.requests.length - failures().length).toBe(ids.length);
});

test("an ended session holds back the files that have not begun, and a file that is removed meanwhile is not sent", async () => {
  sender.add(chosen);
  await vi.advanceTimersByTimeAsync(10_000);
  const before = sent();
  expect(before).toBeGreaterThan(100);
  site.answer = () => 401;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failures()).toHaveLength(2);
  const waiting = failures().map(({ id }) => id);
  sender.forget(waiting);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(failures()).toHaveLength(4);
  site.answer = () => 204;
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent()).toBe(ids.length - waiting.length);
  expect(site.requests.filter(({ id }) => waiting.includes(id))).toHaveLength(waiting.length);
});

test("files that the site always fails to store do not hold up the others", async () => {
  const poison = ["0", "1", "2", "3"];
  site.answer = (id) => (poison.includes(id) ? 500 : 204);
  sender.add(chosen);
  await vi.advanceTimersByTimeAsync(180_000);
  expect(sent()).toBe(ids.length - poison.length);
  expect(site.mostOpen).toBe(2);
  expect(failures().length).toBeLessThan(100);
});

test.each([
  ["that the site has", 204],
  ["that is imported already", 404],
])("a file %s stays sent when it is chosen again", async (_, status) => {
  sender.add(chosen.slice(0, 1));
  await vi.advanceTimersByTimeAsync(1_000);
  site.answer = () => status;
  sender.add(chosen.slice(0, 1));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(site.requests.map((request) => request.status)).toEqual([204, status]);
  expect(sender.read().files.get("0")).toMatchObject({ state: "sent", sentence: "" });
});

test("a new file that the site no longer knows has failed", async () => {
  site.answer = () => 404;
  sender.add(chosen.slice(0, 1));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sender.read().files.get("0")?.state).toBe("failed");
});

test.each([
  ["refused for its kind", 415, 1],
  ["that failed otherwise", 400, 2],
])("a file %s is retried only if that can help", async (_, status, tries) => {
  site.answer = () => status;
  sender.add(chosen.slice(0, 1));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(sender.read().files.get("0")).toMatchObject({ state: "failed", isRefused: status === 415 });
  sender.resume(["0"]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(site.requests).toHaveLength(tries);
});
