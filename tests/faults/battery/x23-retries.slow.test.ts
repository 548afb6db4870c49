import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { EventSource } from "eventsource";
import { afterAll, expect, test, vi } from "vitest";
import { paths } from "#app/paths.ts";
import { followLiveEvents } from "#app/ui/live/live-connection.ts";
import { GAP_SPREAD_MS } from "#app/ui/live/live-updates.tsx";
import { progressReporter } from "#app/ui/progress/send-progress.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { expectFigures } from "./support/figures.ts";

/*
 * Browsers that each follow a stream of events and watch a video run the site's own scripts for both, with the retries
 * of those scripts. The site is killed and comes back after a while.
 */
const BROWSERS = 20;
/** Longer than the time to the first heartbeat, before which a script does not leave the next try to the browser. */
const BEFORE_MS = 6_000;
const DOWN_MS = 5_000;
const AFTER_MS = 15_000;
/** The time within which all is as before. */
const RETURN_MS = 10_000;
/** The player's own pace, or a faster one for a short run. */
const REPORT_EVERY_MS = 3_000;
/** The limit of a short run, whose machine may be busy. */
const MAX_OPEN_MS = 60_000;
const VIDEO_SECONDS = 3_600;

interface Sent {
  at: number;
  /** 0 when the connection failed; null while there is no answer. */
  status: number | null;
}

interface Client {
  cookie: string;
  openStreams: number;
  /** By performance.now(). */
  openedAt: number;
}

const port = await findTestPort();
const start = () => startSite({ port, env: { TRUST_PROXY: "1", DATABASE_TIMEOUT_MS: "30000" } });
let site: Site = await start();
afterAll(() => site.stop());

const running = new AsyncLocalStorage<Client>();
const sent: Sent[] = [];

test("browsers that retry after an outage come back spread over seconds", async () => {
  stubBrowser();
  const video = await createVideo({ durationSeconds: VIDEO_SECONDS, withFiles: true });
  const clients = await Promise.all(Array.from({ length: BROWSERS }, createClient));
  const closing = new AbortController();
  for (const [index, client] of clients.entries()) {
    void running.run(client, () => watchVideo(video, (index / BROWSERS) * REPORT_EVERY_MS, closing.signal));
  }
  const countOpen = () => clients.filter(({ openStreams }) => openStreams === 1).length;
  await expect.poll(countOpen).toBe(BROWSERS);
  const begunAt = performance.now();
  await sleep(BEFORE_MS);
  const baseRate = ratesOf(begunAt + BEFORE_MS / 2, begunAt + BEFORE_MS).mean;

  await site.stop();
  const downAt = performance.now();
  await sleep(DOWN_MS);
  const meanwhile = ratesOf(downAt, performance.now());
  site = await start();
  const backAt = performance.now();
  await sleep(AFTER_MS);
  // A busy machine connects later; at full length the time is up.
  await expect.poll(countOpen).toBe(BROWSERS);
  const lost = BROWSERS - countOpen();
  closing.abort();
  const waitingSince = performance.now() - RETURN_MS;
  const failed = sent.filter(
    ({ at, status }) => at > backAt && (status === null ? at < waitingSince : status === 0 || status >= 500),
  );
  const after = ratesOf(backAt, backAt + RETURN_MS);
  expectFigures({
    baseRate: { is: baseRate, atLeast: (0.5 * BROWSERS * 1000) / REPORT_EVERY_MS },
    triedWhileDown: { is: meanwhile.mean * (DOWN_MS / 1000), atLeast: BROWSERS },
    mostInASecondOnReturn: { is: after.most, atMost: 120 },
    onReturnTimesBase: { is: after.mean / baseRate, atMost: 3 },
    recoveredMs: { is: Math.max(0, ...failed.map(({ at }) => at - backAt)), atMost: RETURN_MS },
    streamsLost: { is: lost, exactly: 0 },
    // A stream's next try comes up to half a minute after a failed one, as the specification sets.
    streamsOpenAfterMs: {
      is: Math.max(...clients.map(({ openedAt }) => openedAt)) - backAt,
      atMost: MAX_OPEN_MS,
    },
    streamsOpenedAgain: {
      is: clients.filter(({ openedAt }) => openedAt > downAt).length,
      exactly: BROWSERS,
    },
  });
}, 300_000);

async function createClient(): Promise<Client> {
  const { id } = await createMember();
  await subscribe(id);
  return { cookie: await signedInCookie(id), openStreams: 0, openedAt: 0 };
}

/** Lives as long as the page of a video that plays. */
async function watchVideo(
  { id: mediaId, slug }: { id: string; slug: string },
  delayMs: number,
  signal: AbortSignal,
): Promise<void> {
  const data = `${paths.media("video", slug)}.data`;
  void followLiveEvents(({ kind }) => {
    // The page's data is loaded again, as app/ui/live/live-updates.tsx does.
    if (kind === "gap") setTimeout(() => void fetch(data).catch(() => {}), Math.random() * GAP_SPREAD_MS);
  }, signal);
  const viewerId = running.getStore()?.cookie ?? "";
  const reporter = progressReporter({ mediaId, viewerId, serverNow: Date.now() });
  await sleep(delayMs);
  for (let seconds = 1; !signal.aborted; seconds += REPORT_EVERY_MS / 1000) {
    reporter.report(seconds);
    await sleep(REPORT_EVERY_MS);
  }
}

/** Gives the scripts what a browser has: relative addresses, cookies, streams of events, storage. */
function stubBrowser(): void {
  const send = async (path: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { cookie = "" } = running.getStore() ?? {};
    const headers = { ...(init.headers as Record<string, string>), cookie, origin: site.origin };
    const one: Sent = { at: performance.now(), status: null };
    sent.push(one);
    const responding = realFetch(new URL(path, site.origin), { ...init, headers, keepalive: false });
    const response = await responding.catch((error) => {
      one.status = init.signal?.aborted ? null : 0;
      throw error;
    });
    one.status = response.status;
    return response;
  };
  const realFetch = globalThis.fetch;
  vi.stubGlobal("fetch", send);
  vi.stubGlobal(
    "EventSource",
    class extends EventSource {
      constructor(path: string) {
        const client = running.getStore();
        super(new URL(path, site.origin), {
          fetch: (url, init) => running.run(client as Client, () => send(url, init as RequestInit)),
        });
        this.addEventListener("open", () => count(1));
        this.addEventListener("error", () => count(0));
        function count(open: number): void {
          if (!client) return;
          client.openStreams = open;
          if (open === 1) client.openedAt = performance.now();
        }
        this.#count = count;
      }

      #count: (open: number) => void;

      override close(): void {
        this.#count(0);
        super.close();
      }
    },
  );
  const stored = new Map<string, string>();
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
}

/** Requests a second from `from` to `to`, on average and in the fullest second. */
function ratesOf(from: number, to: number): { mean: number; most: number } {
  const times = sent.map(({ at }) => at).filter((at) => at >= from && at < to);
  const inSecondFrom = (begin: number) => times.filter((at) => at >= begin && at < begin + 1_000).length;
  return { mean: (times.length / (to - from)) * 1000, most: Math.max(0, ...times.map(inSecondFrom)) };
}
