import { readFileSync } from "node:fs";
import { paths } from "#app/paths.ts";
import { processorMs, sharedMemoryMb } from "#tests/support/process/process-figures.ts";
import { descendants } from "#tests/support/process/process-tree.ts";
import { Browser } from "./load/browser.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { listMediaPaths } from "./site/catalogue.ts";
import { type Library, type RunningSite, startWeb } from "./site/site.ts";

const REQUESTS = 600;
const QUICK_REQUESTS = 200;
const AT_ONCE = 8;
export const WARM_UP = 40;
const RANGE_BYTES = 1_048_576;

type Ask = (browser: Browser, index: number) => Promise<{ body: Buffer }>;
interface Used {
  web: number;
  postgres: number;
}

/**
 * Measures what a web process and PostgreSQL spend on each kind of request, with another subscriber for each, and the
 * memory and connections afterwards. For the table in docs/scaling.md.
 */
export async function benchSizing(
  library: Library,
  { isQuick }: BenchOptions,
  report: Report,
): Promise<void> {
  const site = await startWeb(library);
  const row = (name: string, figure: string, reference: string) =>
    report({ name: `sizing: ${name}`, figure, reference, ratio: null, goal: "", isMet: true });
  const count = isQuick ? QUICK_REQUESTS : REQUESTS;
  try {
    for (const [name, ask] of await listRequests(library)) {
      const browsers = library.subscribers
        .slice(0, count)
        .map(({ cookie }) => new Browser(site.origin, cookie));
      await fetchAll(browsers.slice(0, WARM_UP), ask);
      const before = await usedBy(library, site);
      const bytes = await fetchAll(browsers, ask);
      const after = await usedBy(library, site);
      for (const browser of browsers) browser.close();
      const each = (which: keyof Used) => ((after[which] - before[which]) / count).toFixed(2);
      row(name, `${each("web")} + ${each("postgres")} ms cpu`, `${(bytes / count / 1000).toFixed(1)} kB`);
    }
    await reportMemory(library, site, row);
  } finally {
    await site.stop();
  }
}

export async function listRequests(library: Library): Promise<[string, Ask][]> {
  const { posters, photos, videos } = await listMediaPaths(library);
  const items = await library.sql<{ id: string; slug: string }[]>`
    SELECT id, slug || '-' || short_id AS slug FROM media WHERE type = 'video' AND status = 'published' AND publish_at <= now()
    ORDER BY publish_at DESC`;
  const at = <Item>(all: Item[], index: number) => all[index % all.length] as Item;
  const range = { range: `bytes=0-${RANGE_BYTES - 1}` };
  return [
    ["list", (browser) => browser.get(paths.list("video"))],
    ["poster", (browser, index) => browser.get(at(posters, index))],
    ["photo", (browser, index) => browser.get(at(photos, index))],
    ["video, up to 1 MB", (browser, index) => browser.get(at(videos, index), range)],
    [
      "progress",
      (browser, index) => browser.post(paths.api.views(), { mediaId: at(items, index).id, progress: "2" }),
    ],
  ];
}

/** Returns the bytes of all bodies. */
export async function fetchAll(browsers: Browser[], ask: Ask): Promise<number> {
  let bytes = 0;
  const waiting = [...browsers.entries()];
  const one = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { body } = await ask(next[1], next[0]);
      bytes += body.length;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  return bytes;
}

export async function usedBy(library: Library, { pids }: RunningSite): Promise<Used> {
  const sum = (all: number[]) => all.reduce((total, pid) => total + processorMs(pid), 0);
  return { web: sum(pids), postgres: sum(await listPostgres(library)) };
}

async function reportMemory(
  library: Library,
  { pids }: RunningSite,
  row: (name: string, figure: string, reference: string) => void,
): Promise<void> {
  const mb = (all: number[]) => all.reduce((total, pid) => total + sharedMemoryMb(pid), 0).toFixed(0);
  const [{ count = 0 } = {}] = await library.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  row("a web process", `${mb(pids)} MB`, `${count} connections`);
  row("PostgreSQL", `${mb(await listPostgres(library))} MB`, "");
}

async function listPostgres({ sql }: Library): Promise<number[]> {
  const [{ pid = 0 } = {}] = await sql<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
  const postmaster = Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  return [postmaster, ...descendants(postmaster).map((one) => one.pid)];
}
