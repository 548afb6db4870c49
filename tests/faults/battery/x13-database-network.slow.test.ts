import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { paths } from "#app/paths.ts";
import { type ChaosProxy, startChaosProxy, type Weather } from "#tests/support/chaos-proxy.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember, signedInCookie, subscribe } from "#tests/support/people.ts";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { REAL_DATABASE_LIMIT, type Site, startSite } from "#tests/support/site.ts";
import { expectFigures, type Figure } from "./support/figures.ts";
import { type LoadAnswer, type SteadyLoad, startLoad } from "./support/steady-load.ts";

/** A fault that says nothing lasts longer than a statement may take. */
const SILENT_MS = 2_500;
const TOLD_MS = 1_000;
const PAGES_PER_SECOND = 4;
/** More would wait for the pool's ten connections, which is another fault. */
const SLOW_PAGES_PER_SECOND = 2;
const FILES_PER_SECOND = 4;
const PENDING_MS = 5_000;
/** The newest answers after a fault, which all have to be pages. */
const RECOVERED = 6;
const FILES = ["/healthz", "/favicon.ico", "/about", `/assets/${readdirSync("build/client/assets")[0]}`];

interface Seen {
  /** The answers to requests that began during the fault. */
  pages: LoadAnswer[];
  files: LoadAnswer[];
  pending: number;
  connectionsPerSecond: number;
  /** The part of one processor that the site used during the fault. */
  cpuShare: number;
  recoveryMs: number;
}

let proxy: ChaosProxy;
let site: Site;
let pages: string[];
let headers: { cookie: string };

beforeAll(async () => {
  const video = await createVideo({ withFiles: true });
  const { id } = await createMember();
  await subscribe(id);
  headers = { cookie: await signedInCookie(id) };
  const page = paths.media("video", video.slug);
  pages = ["/", paths.list("video"), page, `${page}.data`, paths.favorites(), paths.account()];
  proxy = await startChaosProxy(process.env.DATABASE_URL ?? "");
});
afterAll(async () => {
  await site.stop();
  await proxy.stop();
});

test("faults of the database's network are reported in time, cost little, and end by themselves", async () => {
  const seen: Record<string, Seen> = {};
  const pass = () => proxy.turn("pass");
  await proxy.turn("greet-and-close");
  site = await startSite({ databaseUrl: proxy.url, env: REAL_DATABASE_LIMIT });
  seen["closed from the start"] = await watch(SILENT_MS, async () => {}, pass);
  const faults: [Weather, number][] = [
    ["refuse", TOLD_MS],
    ["reset", TOLD_MS],
    ["hang", SILENT_MS],
    ["cut", TOLD_MS],
  ];
  for (const [fault, lasts] of faults) seen[fault] = await watch(lasts, () => proxy.turn(fault), pass);
  seen.slow = await watch(TOLD_MS, () => proxy.turn("slow"), pass, SLOW_PAGES_PER_SECOND);
  const lock = lockSessions();
  seen["pool exhausted"] = await watch(SILENT_MS, lock.take, lock.release);

  for (const [fault, { pages }] of Object.entries(seen)) {
    const statuses = pages.map(({ status }) => status);
    if (fault !== "slow") expect([fault, statuses]).toEqual([fault, expect.arrayContaining([503])]);
  }
  expectFigures(figuresOf(Object.values(seen)));
}, 600_000);

function figuresOf(seen: Seen[]): Record<string, Figure> {
  const answers = seen.flatMap(({ pages }) => pages);
  const files = seen.flatMap((one) => one.files);
  const worst = (figure: (one: Seen) => number) => Math.max(...seen.map(figure));
  const isRefusal = ({ status, headers }: LoadAnswer) => status === 503 && Number(headers["retry-after"]) > 0;
  return {
    pages: { is: answers.length, atLeast: 20 },
    files: { is: files.length, atLeast: 20 },
    neitherPageNorRetryAfter: {
      is: answers.filter((one) => one.status !== 200 && !isRefusal(one)).length,
      exactly: 0,
    },
    filesRefused: {
      is: files.filter(({ status }) => status !== 200).length,
      exactly: 0,
    },
    connectionsPerSecond: { is: worst((one) => one.connectionsPerSecond), atMost: 20 },
    cpuShare: { is: worst(({ cpuShare }) => cpuShare), atMost: 0.5 },
  };
}

/** Requests pages and files while the fault lasts, and until pages are answered again. */
async function watch(
  lasts: number,
  begin: () => Promise<unknown>,
  end: () => Promise<unknown>,
  perSecond = PAGES_PER_SECOND,
): Promise<Seen> {
  const pid = site.process.pid ?? 0;
  await begin();
  const before = { at: performance.now(), connections: proxy.connections(), cpuMs: processorMs(pid) };
  const load = startLoad(site.origin, {
    perSecond,
    next: (index) => ({ path: pages[index % pages.length] ?? "/", headers }),
  });
  const files = startLoad(site.origin, {
    perSecond: FILES_PER_SECOND,
    next: (index) => ({ path: FILES[index % FILES.length] ?? "/" }),
  });
  await sleep(lasts);
  const endedAt = performance.now();
  const seconds = (endedAt - before.at) / 1000;
  const cost = {
    connectionsPerSecond: (proxy.connections() - before.connections) / seconds,
    cpuShare: (processorMs(pid) - before.cpuMs) / 1000 / seconds,
  };
  await end();
  const pending = await untilRecovered(load, endedAt);
  const [answers, filesAnswers] = await Promise.all([load.stop(), files.stop()]);
  const late = answers.filter(({ startedAt, status }) => startedAt > endedAt && status !== 200);
  return {
    ...cost,
    pages: answers.filter(({ startedAt }) => startedAt < endedAt),
    files: filesAnswers,
    pending,
    recoveryMs: Math.max(0, ...late.map(({ startedAt, milliseconds }) => startedAt + milliseconds - endedAt)),
  };
}

/** Returns the most requests that waited for too long at one moment. */
async function untilRecovered(load: SteadyLoad, endedAt: number): Promise<number> {
  let pending = load.pendingFor(PENDING_MS);
  const hasRecovered = () => {
    pending = Math.max(pending, load.pendingFor(PENDING_MS));
    const newest = load.answers.filter(({ startedAt }) => startedAt > endedAt).slice(-RECOVERED);
    return newest.length === RECOVERED && newest.every(({ status }) => status === 200);
  };
  await vi.waitUntil(hasRecovered, { timeout: 120_000, interval: 50 });
  return pending;
}

/** Every page reads this table, so that all connections of the pool wait for it. */
function lockSessions() {
  const sql = postgres(process.env.DATABASE_URL ?? "", { max: 1, onnotice: () => {} });
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    take: () =>
      new Promise<void>((resolve) => {
        void sql.begin(async (tx) => {
          await tx`LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE`;
          resolve();
          await released;
        });
      }),
    release: () => {
      release();
      return sql.end();
    },
  };
}
