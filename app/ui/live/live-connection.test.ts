import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { followLiveEvents, type ReceivedEvent } from "./live-connection.ts";

const MINUTE = 60_000;

/** The browser's side of a connection, whose fate the test decides. */
class Connection extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: Connection[] = [];
  readyState = Connection.CONNECTING;
  onopen = () => {};
  onerror = () => {};
  readonly openedAt = performance.now();

  constructor(readonly url: string) {
    super();
    Connection.all.push(this);
  }

  close(): void {
    this.readyState = Connection.CLOSED;
  }

  open(): this {
    this.readyState = Connection.OPEN;
    this.onopen();
    return this.beat();
  }

  beat(): this {
    this.dispatchEvent(new Event("heartbeat"));
    return this;
  }

  fail(readyState = Connection.CLOSED): void {
    this.readyState = readyState;
    this.onerror();
  }
}

let announced: ReceivedEvent["kind"][] = [];
let end: "finished" | "failed" | null = null;
let controller: AbortController;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", Connection);
  Connection.all = [];
  announced = [];
  end = null;
  controller = new AbortController();
  void followLiveEvents(({ kind }) => announced.push(kind), controller.signal).then((outcome) => {
    end = outcome;
  });
});
afterEach(() => {
  controller.abort();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const newest = () => Connection.all.at(-1) as Connection;

/** Returns the milliseconds until the next connection; null when there is none. */
async function waitAfterFailure(): Promise<number | null> {
  const [count, failedAt] = [Connection.all.length, performance.now()];
  newest().fail();
  while (Connection.all.length === count) {
    if (performance.now() - failedAt > 10 * MINUTE) return null;
    await vi.advanceTimersByTimeAsync(10);
  }
  return newest().openedAt - failedAt;
}

test("a connection without a heartbeat for forty seconds is replaced, and the page reads what it missed", async () => {
  newest().open();
  for (let beat = 0; beat < 3; beat += 1) {
    await vi.advanceTimersByTimeAsync(39_999);
    newest().beat();
  }
  expect(Connection.all).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(39_999);
  expect(newest().readyState).toBe(Connection.OPEN);
  await vi.advanceTimersByTimeAsync(1);
  expect(newest().readyState).toBe(Connection.CLOSED);
  await vi.advanceTimersByTimeAsync(500);
  expect(Connection.all).toHaveLength(2);
  expect(announced).toEqual([]);
  newest().open();
  expect(announced).toEqual(["gap"]);
});

test("a connection that never opens is replaced after forty seconds, too", async () => {
  await vi.advanceTimersByTimeAsync(40_000);
  expect(Connection.all[0]?.readyState).toBe(Connection.CLOSED);
  await vi.advanceTimersByTimeAsync(500);
  expect(Connection.all).toHaveLength(2);
});

test("a connection ends after ten more tries, each with a longer wait", async () => {
  for (let tried = 0; tried < 10; tried += 1) {
    const longest = Math.min(500 * 2 ** tried, MINUTE);
    const wait = await waitAfterFailure();
    expect(wait).toBeGreaterThanOrEqual(longest / 2);
    expect(wait).toBeLessThanOrEqual(longest + 1);
  }
  expect(end).toBeNull();
  expect(await waitAfterFailure()).toBeNull();
  expect([Connection.all.length, end]).toEqual([11, "failed"]);
});

test("a heartbeat proves the connection, so the next loss has ten tries again", async () => {
  for (let tried = 0; tried < 9; tried += 1) await waitAfterFailure();
  newest().open();
  for (let tried = 0; tried < 10; tried += 1) expect(await waitAfterFailure()).not.toBeNull();
  expect(await waitAfterFailure()).toBeNull();
});

test("the browser may reopen a proven connection by itself once", async () => {
  newest().open();
  newest().fail(Connection.CONNECTING);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Connection.all).toHaveLength(1);
  newest().fail(Connection.CONNECTING);
  await vi.advanceTimersByTimeAsync(500);
  expect(Connection.all).toHaveLength(2);
});

test.each([
  ["is open", () => newest().open()],
  ["has failed", () => newest().fail()],
])("leaving the page ends everything while a connection %s", async (_, prepare) => {
  prepare();
  await vi.advanceTimersByTimeAsync(100);
  controller.abort();
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect([Connection.all.length, newest().readyState, end]).toEqual([1, Connection.CLOSED, "finished"]);
});

test.each(["ended", "replaced"])("no connection follows an end by the server: %s", async (name) => {
  newest().open();
  newest().dispatchEvent(new Event(name));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect([Connection.all.length, end]).toEqual([1, "finished"]);
  expect(announced).toEqual(name === "ended" ? ["ended"] : []);
});
