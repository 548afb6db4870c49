import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, test } from "vitest";
import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import { adultCookie } from "#tests/support/people.ts";
import { type Site, startSite } from "#tests/support/site.ts";
import { expectFigures } from "./support/figures.ts";
import { createMixedLoad, MIXED_LOAD_ENV } from "./support/mixed-load.ts";
import { type LoadAnswer, type LoadRequest, send, startLoad } from "./support/steady-load.ts";

const FLOOD_MS = 5_000;
const CONNECTIONS = 50;
const VISITS_PER_SECOND = 4;
/** A browser waits as long when a page takes no time at all. */
const PAUSE_MS = 500;
const ABUSER = "203.0.113.9";

let site: Site;
let visit: (index: number) => LoadRequest;

beforeAll(async () => {
  visit = await createMixedLoad();
  site = await startSite({ dataDir: config.dataDir, env: MIXED_LOAD_ENV });
});
afterAll(() => site.stop());

test("a flood of searches from one address is refused, and other visitors are served as before", async () => {
  for (let index = 0; index < 20; index += 1) await send(site.origin, visit(index));
  const flooding = new AbortController();
  const flood = floodSearches(flooding.signal);
  const during = await visitFor(FLOOD_MS);
  flooding.abort();
  const searches = await flood;

  const refused = searches.filter(({ status }) => status === 429);
  const untold = refused.filter(({ headers }) => !(Number(headers["retry-after"]) > 0));
  const failed = during.filter(({ status }) => status === 0 || status >= 400);
  expectFigures({
    searches: { is: searches.length, atLeast: 100 },
    refusedShare: { is: refused.length / searches.length, atLeast: 0.5 },
    refusedWithoutRetryAfter: { is: untold.length, exactly: 0 },
    visits: { is: during.length, atLeast: (0.9 * VISITS_PER_SECOND * FLOOD_MS) / 1_000 },
    failedVisitsShare: { is: failed.length / during.length, atMost: 0.001 },
  });
}, 900_000);

async function visitFor(milliseconds: number): Promise<LoadAnswer[]> {
  const load = startLoad(site.origin, { perSecond: VISITS_PER_SECOND, next: visit });
  await sleep(milliseconds);
  return load.stop();
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
