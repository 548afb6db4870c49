import { type ClientRequest, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { paths } from "#app/paths.ts";
import { memoryMb } from "#tests/support/process/process-figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { type Library, startWeb } from "./site/site.ts";

const STREAMS = 5_000;
const QUICK_STREAMS = 1_000;
const GOAL_KB = 40;
/** At once, while the streams are opened. */
const OPENING = 50;
/** Longer than the interval of heartbeats; the garbage of opening is collected meanwhile. */
const IDLE_MS = 45_000;
/** A session has one stream. */
const SESSIONS = 3;

/** Measures the memory of a web process for each browser that waits for changes. */
export async function benchLive(library: Library, { isQuick }: BenchOptions, report: Report): Promise<void> {
  const site = await startWeb(library);
  const count = isQuick ? QUICK_STREAMS : STREAMS;
  const requests: ClientRequest[] = [];
  const { addSessions } = await import("./site/people.ts");
  const ids = library.subscribers.map(({ id }) => id);
  const cookies = await addSessions(library.sql, ids, SESSIONS);
  try {
    const [pid = 0] = site.pids;
    // The first streams compile code and open connections to the database.
    for (let at = 0; at < OPENING; at += 1) requests.push(await follow(site.origin, cookies[at]));
    await sleep(IDLE_MS);
    const before = memoryMb(pid).now;
    for (let at = OPENING; at < count; at += OPENING) {
      const opened = Array.from({ length: OPENING }, (_, more) => follow(site.origin, cookies[at + more]));
      requests.push(...(await Promise.all(opened)));
    }
    await sleep(IDLE_MS);
    const kb = ((memoryMb(pid).now - before) * 1000) / (count - OPENING);
    report({
      name: `memory of an idle stream`,
      figure: `${kb.toFixed(1)} kB`,
      reference: `${count} streams, ${before.toFixed(0)} MB before`,
      ratio: null,
      goal: `<= ${GOAL_KB} kB`,
      isMet: kb <= GOAL_KB,
    });
  } finally {
    for (const request of requests) request.destroy();
    await site.stop();
  }
}

/** Resolves with the request once the stream's first text has come. */
function follow(origin: string, cookie: string | undefined): Promise<ClientRequest> {
  return new Promise((resolve, reject) => {
    const headers = { cookie, accept: "text/event-stream" };
    const request = get(origin + paths.api.live(), { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.once("data", () => resolve(request));
      response.on("error", () => {});
    });
    request.on("error", reject);
  });
}
