import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { progressReporter } from "./send-progress.ts";

const SUBJECT = { mediaId: "reel", viewerId: "ada", serverNow: 1_000_000 };
const KEY = "progress:ada:reel";

let kept: Map<string, string>;
let sent: number[];
let sequences: number[];
let beacons: number[];
let answer: () => Promise<Response>;

const saved = async () => new Response("{}");
const noNetwork = async () => Promise.reject(new TypeError("no network"));
const progressIn = (body: unknown) => Number(new URLSearchParams(String(body)).get("progress"));
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  [kept, sent, sequences, beacons, answer] = [new Map(), [], [], [], saved];
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  vi.stubGlobal("navigator", {
    sendBeacon: (_: string, body: unknown) => beacons.push(progressIn(body)) > 0,
  });
  vi.stubGlobal("fetch", (_: string, { body }: RequestInit) => {
    sent.push(progressIn(body));
    sequences.push(Number(new URLSearchParams(String(body)).get("sequence")));
    return answer();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("saved progress is no longer kept in the tab", async () => {
  progressReporter(SUBJECT).report(12);
  expect(kept.has(KEY)).toBe(true);
  await settled();
  expect([sent, kept.has(KEY)]).toEqual([[12], false]);
});

test("progress that cannot be sent is retried, and only the newest", async () => {
  answer = noNetwork;
  const reporter = progressReporter(SUBJECT);
  reporter.report(12);
  await settled();
  reporter.report(30);
  reporter.report(45);
  answer = saved;
  await vi.advanceTimersByTimeAsync(120_000);
  expect([sent, kept.has(KEY)]).toEqual([[12, 45], false]);
});

test("unsent progress in the tab is sent when the media is opened again", async () => {
  answer = noNetwork;
  const reporter = progressReporter(SUBJECT);
  reporter.report(12);
  reporter.end();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(kept.has(KEY)).toBe(true);
  answer = saved;
  progressReporter(SUBJECT);
  await settled();
  expect([sent.at(-1), kept.has(KEY)]).toEqual([12, false]);
});

test("a page begins at its unsent progress, and moves to newer progress of another device once the server reports it", async () => {
  kept.set(KEY, JSON.stringify({ progress: 60, sequence: 900_000 }));
  answer = async () => Response.json({ progress: 80, isCompleted: false });
  const events: (number | "saved")[] = [];
  const listener = {
    onRescued: (progress: number) => events.push(progress),
    onSaved: () => events.push("saved"),
  };
  const reporter = progressReporter(SUBJECT, undefined, listener);
  expect(events).toEqual([60]);
  await settled();
  expect(events).toEqual([60, 80]);
  reporter.report(81);
  await settled();
  expect(events).toEqual([60, 80, "saved"]);
});

test("refused progress is not sent forever", async () => {
  answer = async () => new Response(null, { status: 403 });
  progressReporter(SUBJECT).report(12);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([sent, kept.has(KEY)]).toEqual([[12], false]);
});

test("the last progress of a page goes to the browser as a beacon, and is kept while earlier progress is unsent", async () => {
  const reporter = progressReporter(SUBJECT);
  reporter.leave(20);
  expect([beacons, kept.has(KEY)]).toEqual([[20], false]);
  answer = noNetwork;
  reporter.report(25);
  await settled();
  reporter.leave(26);
  expect([beacons, kept.has(KEY)]).toEqual([[20, 26], true]);
});

test("a page that closes sends its last progress, unless it is saved already", async () => {
  const reporter = progressReporter(SUBJECT);
  reporter.report(12);
  await settled();
  reporter.end(12);
  expect(sent).toEqual([12]);
  progressReporter(SUBJECT).end(14);
  await settled();
  expect(sent).toEqual([12, 14]);
});

test("a page that has not moved since its last report sends nothing on closing, because another device may have", async () => {
  const reporter = progressReporter(SUBJECT);
  reporter.report(12);
  await settled();
  reporter.leave(12.1);
  reporter.end(12.1);
  expect([sent, beacons]).toEqual([[12], []]);
});

test("a page that survives its beacon sends the progress once more", async () => {
  const reporter = progressReporter(SUBJECT);
  reporter.leave(12);
  reporter.report(12.1);
  await settled();
  reporter.report(12.2);
  await settled();
  expect([beacons, sent]).toEqual([[12], [12]]);
});

test("closing a page does not make its unsent progress newer", async () => {
  answer = noNetwork;
  const reporter = progressReporter(SUBJECT);
  reporter.report(12);
  await settled();
  const stored = kept.get(KEY);
  vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  reporter.leave(12);
  expect([beacons, kept.get(KEY)]).toEqual([[12], stored]);
});

test("progress stays in order after sleep, whichever clock of the page stopped", async () => {
  const [ticks, date] = [performance.now(), Date.now()];
  const ticking = vi.spyOn(performance, "now").mockReturnValue(ticks);
  const dating = vi.spyOn(Date, "now").mockReturnValue(date);
  const reporter = progressReporter(SUBJECT);
  dating.mockReturnValue(date + 3_600_000);
  reporter.report(12);
  await settled();
  ticking.mockReturnValue(ticks + 3_700_000);
  dating.mockReturnValue(date - 60_000);
  reporter.report(14);
  await settled();
  expect(sequences).toEqual([4_600_000, 4_700_000]);
});
