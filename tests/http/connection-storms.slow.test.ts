import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { MAX_CONNECTIONS_PER_ADDRESS } from "#app/web/server/connections.server.ts";
import { liveMegabytes, openHandles, storm, WITH_INSPECTOR } from "../support/connection-storm.ts";
import { adultCookie } from "../support/people.ts";
import { type Site, startSite } from "../support/site.ts";

const HEAD_GIVEN_UP_WITHIN_MS = 50_000;
const ADDRESSES = 20;
const STORM_SECONDS = 60;
const SHORT_STORM_SECONDS = 10;
const PAGE_WITHIN_MS = 2_000;
const BACK_WITHIN_MS = 90_000;
/** Longer than the timeout of idle connections. */
const SETTLED_AFTER_MS = 15_000;
/** The visitor's own connections, and those that are being refused. */
const NOT_OF_THE_STORM = 40;
const TOLERANCE = 1.1;

const site = await startSite();
afterAll(() => site.stop());
const cookie = await adultCookie();

// It waits for most of a minute while the storms hit another site.
const slowHead = sendHeadDropByDrop();

describe("2,000 slow connections", () => {
  let stormy: Site;
  beforeAll(async () => {
    stormy = await startSite({ env: WITH_INSPECTOR });
    // The first storm also fills what stays allocated: compiled code, database connections, a grown heap.
    await storm(stormy, { seconds: SHORT_STORM_SECONDS, addresses: ADDRESSES });
    await sleep(SETTLED_AFTER_MS);
  }, 180_000);
  afterAll(() => stormy.stop());

  test.each([
    ["many addresses", ADDRESSES, STORM_SECONDS],
    ["one address", 1, STORM_SECONDS / 2],
  ])(
    "from %s keep no visitor waiting and leave nothing behind",
    async (_, addresses, seconds) => {
      await visit(stormy);
      const before = { handles: openHandles(stormy), megabytes: await liveMegabytes(stormy) };
      const visits: number[] = [];
      const openSockets: number[] = [];
      await storm(stormy, {
        seconds,
        addresses,
        meanwhile: async () => {
          visits.push(await visit(stormy));
          openSockets.push(openHandles(stormy) - before.handles);
        },
      });
      expect(visits.length).toBeGreaterThan(3);
      // A single visit may fall into a pause of a busy machine.
      expect(median(visits)).toBeLessThan(PAGE_WITHIN_MS);
      if (addresses === 1)
        expect(median(openSockets)).toBeLessThanOrEqual(MAX_CONNECTIONS_PER_ADDRESS + NOT_OF_THE_STORM);
      else expect(Math.max(...openSockets), "a storm").toBeGreaterThan(2 * MAX_CONNECTIONS_PER_ADDRESS);

      const isTolerated = ({ handles, megabytes }: typeof before) =>
        handles <= before.handles * TOLERANCE && megabytes <= before.megabytes * TOLERANCE;
      let after = before;
      for (const deadline = Date.now() + BACK_WITHIN_MS; Date.now() < deadline; await sleep(1_000)) {
        after = { handles: openHandles(stormy), megabytes: await liveMegabytes(stormy) };
        if (isTolerated(after)) break;
      }
      expect(isTolerated(after), JSON.stringify({ before, after })).toBe(true);
    },
    300_000,
  );
});

test("a request head that arrives drop by drop is closed", async () => {
  const said = await slowHead;
  expect(said).toMatch(/^HTTP\/1\.1 408 /);
  expect(said).toContain("Rating: RTA-5042-1996-1400-1577-RTA\r\n");
}, 60_000);

/** Returns the server's response when the connection is closed, or after 50 seconds. */
async function sendHeadDropByDrop(): Promise<string> {
  await (await site.fetch("/about")).text();
  const socket = connect(Number(new URL(site.origin).port), "127.0.0.1");
  let said = "";
  socket.on("data", (chunk: Buffer) => {
    said += chunk.toString();
  });
  socket.write("GET /about HTTP/1.1\r\nHost: localhost\r\n");
  const drip = setInterval(() => socket.write("X-Drop: 1\r\n"), 1_000);
  await Promise.race([once(socket, "close"), sleep(HEAD_GIVEN_UP_WITHIN_MS)]);
  clearInterval(drip);
  socket.destroy();
  return said;
}

/** The duration of a page load in milliseconds. */
async function visit(stormy: Site): Promise<number> {
  const startedAt = performance.now();
  const answer = await stormy.fetch("/", { headers: { cookie, connection: "close" } }).catch(() => null);
  await answer?.text();
  // A machine that is too busy may refuse a connection, which counts as a long visit too.
  if (answer) expect(answer.status).toBe(200);
  return performance.now() - startedAt;
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}
