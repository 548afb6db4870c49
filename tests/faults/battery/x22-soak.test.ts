import { readdirSync } from "node:fs";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { db } from "#db/client.server.ts";
import { memoryMb } from "#tests/support/process/process-figures.ts";
import { REAL_DATABASE_LIMIT, type Site, startSite } from "#tests/support/site.ts";
import { percentile } from "../../../bench/report/figures.ts";
import { isFullLength, reportFigures } from "./support/figures.ts";
import { createMixedLoad, MIXED_LOAD_ENV } from "./support/mixed-load.ts";
import { type LoadAnswer, type LoadRequest, reportFailures, send, startLoad } from "./support/steady-load.ts";
import { WEB_HEAP_ENV } from "./support/web-heap-env.ts";

/**
 * Twice the visits a second in half of the ten minutes, so that each leak shows as much. The short form is long enough
 * for each kind of request, the removal of a favorite in the second round too.
 */
const SOAK_MS = isFullLength ? 5 * 60_000 : 11_000;
/** Compiled code and caches grow with the visits, so the warm-up has as many as three minutes of the soak. */
const WARM_UP_MS = isFullLength ? 90_000 : 1_000;
const WARM_UP_TIMES = 2;
const VISITS_PER_SECOND = isFullLength ? 40 : 4;
const PROBES_PER_SECOND = isFullLength ? 5 : 1;
const ABORTS_PER_SECOND = VISITS_PER_SECOND / 10;
const SAMPLE_MS = 1_000;
/** Enough at once that the site opens all connections to its database. */
const AT_ONCE = 60;
/** Longer than the server keeps an idle connection. */
const SETTLED_AFTER_MS = 7_000;
const MAX_MORE_HANDLES = 5;

let site: Site;
let visit: (index: number) => LoadRequest;
beforeAll(async () => {
  visit = await createMixedLoad();
  const env = { ...MIXED_LOAD_ENV, ...WEB_HEAP_ENV, ...(isFullLength ? REAL_DATABASE_LIMIT : {}) };
  site = await startSite({ dataDir: config.dataDir, env });
});
afterAll(() => site.stop());

test("a site under load keeps its memory, its files and its connections", async () => {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => send(site.origin, visit(index))));
  await soak(WARM_UP_MS, VISITS_PER_SECOND * WARM_UP_TIMES);
  await sleep(SETTLED_AFTER_MS);
  const before = handles();
  const { answers, memory } = await soak(SOAK_MS);
  const hasSettled = () => handles() <= before + MAX_MORE_HANDLES;
  await vi.waitUntil(hasSettled, { timeout: 60_000, interval: 500 }).catch(() => {});
  const health = answers.filter(({ path }) => path === "/healthz").map(({ milliseconds }) => milliseconds);
  reportFigures("X22", {
    visits: {
      is: answers.length,
      atLeast: isFullLength ? (0.9 * SOAK_MS * (VISITS_PER_SECOND + PROBES_PER_SECOND)) / 1_000 : 20,
    },
    failedVisits: { is: reportFailures(answers), exactly: 0 },
    moreHandles: { is: handles() - before, atMost: MAX_MORE_HANDLES },
    openTransactions: { is: await openTransactions(), exactly: 0 },
    ...(isFullLength && {
      grownMbPerMinute: { is: slopePerMinute(memory), atMost: 1 },
      // A request without a database waits for the event loop alone.
      eventLoop99Ms: { is: percentile(health, 0.99), atMost: 100 },
    }),
  });
}, 900_000);

async function soak(milliseconds: number, perSecond = VISITS_PER_SECOND) {
  const load = startLoad(site.origin, { perSecond, next: visit });
  const probes = startLoad(site.origin, { perSecond: PROBES_PER_SECOND, next: () => ({ path: "/healthz" }) });
  const aborts = setInterval(hangUp, 1000 / ABORTS_PER_SECOND);
  const memory: number[] = [];
  for (const endsAt = Date.now() + milliseconds; Date.now() < endsAt; await sleep(SAMPLE_MS)) {
    memory.push(memoryMb(site.process.pid ?? 0).now);
  }
  clearInterval(aborts);
  const answers: LoadAnswer[] = [...(await load.stop()), ...(await probes.stop())];
  return { answers, memory };
}

/** A visitor who leaves before the answer. */
function hangUp(): void {
  const { path, headers = {} } = visit(0);
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1").on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nCookie: ${headers.cookie}\r\n\r\n`, () =>
    socket.destroy(),
  );
}

function handles(): number {
  return readdirSync(`/proc/${site.process.pid}/fd`).length;
}

/** Connections that somebody took and did not give back. */
async function openTransactions(): Promise<number> {
  const [row] = await db.execute<{ count: number }>(sql`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid() AND state LIKE 'idle in transaction%'`);
  return row?.count ?? Number.NaN;
}

/** By least squares, in MB. */
function slopePerMinute(memory: number[]): number {
  const middle = (memory.length - 1) / 2;
  const mean = memory.reduce((sum, one) => sum + one, 0) / memory.length;
  const shared = memory.reduce((sum, one, at) => sum + (at - middle) * (one - mean), 0);
  const spread = memory.reduce((sum, _, at) => sum + (at - middle) ** 2, 0);
  return (shared / spread) * (60_000 / SAMPLE_MS);
}
