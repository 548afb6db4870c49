import type { ChildProcess } from "node:child_process";
import type { Request } from "autocannon";
import { paths } from "#app/paths.ts";
import { sharedMemoryMb } from "#tests/support/process/process-figures.ts";
import { type BareSite, serveBare } from "./bare/serve.ts";
import { load, type Target } from "./load/load.ts";
import { cookiesOf, listPages } from "./pages/pages.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { listMediaPaths } from "./site/catalogue.ts";
import { end, start } from "./site/programs.ts";
import { type Library, startWeb } from "./site/site.ts";

const GOAL_MB = 400;
const WEB_PROCESSES = 2;
const SECONDS = 30;
const QUICK_SECONDS = 8;
const SAMPLE_EVERY_MS = 250;
const POSTERS_PER_PAGE = 4;

/** Samples the memory of two web processes and the worker while subscribers look at all kinds of pages. */
export async function benchMemory(
  library: Library,
  { isQuick }: BenchOptions,
  report: Report,
): Promise<void> {
  const site = await startWeb(library, { processes: WEB_PROCESSES });
  let worker: ChildProcess | null = null;
  let bare: BareSite | null = null;
  try {
    worker = start(["build/scripts/worker.js"], library.env());
    bare = await serveBare(library.folder, { page: "<body><p>Nothing</p></body>" });
    const seconds = isQuick ? QUICK_SECONDS : SECONDS;
    const requests = await requestsOfPeople(library);
    const target = { origin: site.origin, pids: site.pids, requestsOf: requests };
    const peak = await peakMb([...site.pids, worker.pid ?? 0], target, seconds);
    const { pid, origin } = bare;
    const path = bare.pathOf("page");
    const barePeak = await peakMb([pid], { origin, pids: [pid], requestsOf: () => [{ path }] }, seconds / 4);
    const primary = sharedMemoryMb(site.primaryPid);
    report({
      name: `memory: ${WEB_PROCESSES} web, worker`,
      figure: `${peak.toFixed(0)} MB (primary ${primary.toFixed(0)})`,
      reference: `one bare process ${barePeak.toFixed(0)} MB`,
      ratio: peak / barePeak,
      goal: `<= ${GOAL_MB} MB`,
      isMet: peak <= GOAL_MB,
    });
  } finally {
    await Promise.all([site.stop(), bare?.stop(), worker ? end(worker) : undefined]);
  }
}

/** All pages in turn, with some posters after each; a search would meet its limit. */
async function requestsOfPeople(library: Library): Promise<Target["requestsOf"]> {
  const pages = (await listPages(library)).filter(({ isSignedIn, name }) => isSignedIn && name !== "search");
  const { posters } = await listMediaPaths(library);
  return (connection) =>
    cookiesOf(library, connection).flatMap((cookie, index): Request[] => {
      const headers = { cookie, "accept-encoding": "gzip" };
      const path = pages[index % pages.length]?.path ?? paths.home();
      return [path, ...posters.slice(0, POSTERS_PER_PAGE)].map((one) => ({ path: one, headers }));
    });
}

/** The highest sum of the processes' memory, in MB. */
async function peakMb(pids: number[], target: Target, seconds: number): Promise<number> {
  let peak = 0;
  const sample = () => {
    peak = Math.max(
      peak,
      pids.reduce((sum, pid) => sum + sharedMemoryMb(pid), 0),
    );
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  try {
    await load(target, seconds);
  } finally {
    clearInterval(timer);
  }
  sample();
  return peak;
}
