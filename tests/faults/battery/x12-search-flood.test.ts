import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { adultCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { percentile } from "../../../bench/report/figures.ts";
import { isFullLength, reportFigures } from "./support/figures.ts";
import { createMixedLoad, MIXED_LOAD_ENV } from "./support/mixed-load.ts";
import { type LoadAnswer, type LoadRequest, send, startLoad } from "./support/steady-load.ts";

const FLOOD_MS = isFullLength ? 60_000 : 5_000;
const ALONE_MS = isFullLength ? 20_000 : 0;
const CONNECTIONS = isFullLength ? 200 : 50;
const VISITS_PER_SECOND = isFullLength ? 20 : 4;
/** A browser waits as long when a page takes no time at all. */
const PAUSE_MS = isFullLength ? 250 : 500;
const STATEMENT_MS = 2_000;
/** The site's own, shorter limit for searches. */
const SEARCH_STATEMENT_MS = 500;
/** Between two looks at the running statements. */
const LOOK_MS = 100;
/** The server ends a statement on time only when it gets a processor. */
const LATE_MS = 1_000;
const ABUSER = "203.0.113.9";

let site: Site;
let visit: (index: number) => LoadRequest;

beforeAll(async () => {
  visit = await createMixedLoad();
  const limit: Record<string, string> = isFullLength ? { DATABASE_TIMEOUT_MS: String(STATEMENT_MS) } : {};
  const env = { ...MIXED_LOAD_ENV, ...limit };
  site = await startSite({ dataDir: config.dataDir, env });
});
afterAll(() => site.stop());

test("a flood of searches from one address is refused, and other visitors are served as before", async () => {
  for (let index = 0; index < 20; index += 1) await send(site.origin, visit(index));
  const alone = await visitFor(ALONE_MS);
  const flooding = new AbortController();
  const flood = floodSearches(flooding.signal);
  const longest = longestStatements(flooding.signal);
  const during = await visitFor(FLOOD_MS);
  flooding.abort();
  const searches = await flood;
  const { ofAny, ofSearches } = await longest;

  const refused = searches.filter(({ status }) => status === 429);
  const untold = refused.filter(({ headers }) => !(Number(headers["retry-after"]) > 0));
  const failed = during.filter(({ status }) => status === 0 || status >= 400);
  reportFigures("X12", {
    searches: { is: searches.length, atLeast: 100 },
    refusedShare: { is: refused.length / searches.length, atLeast: isFullLength ? 0.95 : 0.5 },
    refusedWithoutRetryAfter: { is: untold.length, exactly: 0 },
    visits: { is: during.length, atLeast: (0.9 * VISITS_PER_SECOND * FLOOD_MS) / 1_000 },
    failedVisitsShare: { is: failed.length / during.length, atMost: 0.001 },
    ...(isFullLength && {
      longestStatementMs: { is: ofAny, atMost: STATEMENT_MS + LATE_MS },
      longestSearchMs: { is: ofSearches, atMost: SEARCH_STATEMENT_MS + LATE_MS },
      visits95Times: { is: at95(during) / at95(alone), atMost: 2 },
    }),
  });
}, 900_000);

async function visitFor(milliseconds: number): Promise<LoadAnswer[]> {
  const load = startLoad(site.origin, { perSecond: VISITS_PER_SECOND, next: visit });
  await sleep(milliseconds);
  return load.stop();
}

function at95(answers: LoadAnswer[]): number {
  return percentile(
    answers.map(({ milliseconds }) => milliseconds),
    0.95,
  );
}

/** Each connection searches for another text, with an order that no index serves, as soon as it may. */
async function floodSearches(signal: AbortSignal): Promise<LoadAnswer[]> {
  const answers: LoadAnswer[] = [];
  const headers = { cookie: await adultCookie(), "x-forwarded-for": ABUSER };
  const searchOn = async (connection: number) => {
    for (let count = 0; !signal.aborted; count += 1) {
      const q = `fil se ${connection} ${count} ${"a b c d e f ".repeat(8)}`.trim();
      answers.push(await send(site.origin, { path: paths.list("video", { q, sort: "title" }), headers }));
      await sleep(PAUSE_MS);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, connection) => searchOn(connection)));
  return answers;
}

/** In milliseconds. Only a search reads the table of its words. */
async function longestStatements(signal: AbortSignal) {
  const longest = { ofAny: 0, ofSearches: 0 };
  while (!signal.aborted) {
    const [row] = await db.execute<{ slowest: number | null; searches: number | null }>(sql`
      SELECT max(ms)::float AS slowest, (max(ms) FILTER (WHERE query LIKE '%search_terms%'))::float AS searches
      FROM (SELECT query, extract(epoch FROM clock_timestamp() - query_start) * 1000 AS ms FROM pg_stat_activity
        WHERE datname = current_database() AND state = 'active' AND pid <> pg_backend_pid()) AS running`);
    longest.ofAny = Math.max(longest.ofAny, row?.slowest ?? 0);
    longest.ofSearches = Math.max(longest.ofSearches, row?.searches ?? 0);
    await sleep(LOOK_MS);
  }
  return longest;
}
