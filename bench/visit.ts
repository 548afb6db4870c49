import { gunzipSync } from "node:zlib";
import { paths } from "#app/paths.ts";
import { processorMs } from "#tests/support/process/process-figures.ts";
import { BARE_FILE, serveBare } from "./bare/serve.ts";
import { Browser } from "./load/browser.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import { postersIn } from "./site/catalogue.ts";
import { type Library, startWeb } from "./site/site.ts";

/** Times the processor time of the bare page and files. */
const GOAL = 4;
const BATCHES = 6;
const QUICK_BATCHES = 3;
const VISITS = 25;

interface Visited {
  origin: string;
  pids: number[];
  page: string;
  filesOf(html: string): string[];
}

/**
 * Measures the processor time of the web processes for a page and its posters, each visit by another subscriber with
 * a cold browser. The reference is the bare page and as many files that remix-serve sends without asking anybody.
 */
export async function benchVisit(library: Library, { isQuick }: BenchOptions, report: Report): Promise<void> {
  const site = await startWeb(library);
  const people = library.subscribers.map(({ cookie }) => cookie);
  const first = new Browser(site.origin, people[0] ?? "");
  const html = (await first.get(paths.list("video"), { "accept-encoding": "identity" })).body.toString();
  first.close();
  const bare = await serveBare(library.folder, { list: html });
  try {
    const pids = [site.primaryPid, ...site.pids];
    const real = { origin: site.origin, pids, page: paths.list("video"), filesOf: postersIn };
    const files = postersIn(html).map(() => BARE_FILE);
    const plain = { origin: bare.origin, pids: [bare.pid], page: bare.pathOf("list"), filesOf: () => files };
    const batches: { real: number; plain: number }[] = [];
    const count = isQuick ? QUICK_BATCHES : BATCHES;
    for (let batch = 0; batch <= count; batch += 1) {
      const cookies = people.slice(batch * VISITS, (batch + 1) * VISITS);
      const taken = { real: await visitMs(real, cookies), plain: await visitMs(plain, cookies) };
      // The first batch warms up.
      if (batch > 0) batches.push(taken);
    }
    const ms = median(batches.map((batch) => batch.real));
    const plainMs = median(batches.map((batch) => batch.plain));
    report({
      name: `visit: list, ${files.length} posters`,
      figure: `${ms.toFixed(1)} ms cpu`,
      reference: `bare ${plainMs.toFixed(1)} ms cpu`,
      ratio: ms / plainMs,
      goal: `<= ${GOAL}`,
      isMet: ms / plainMs <= GOAL,
    });
  } finally {
    await Promise.all([site.stop(), bare.stop()]);
  }
}

/** The processor time of one visit in milliseconds. */
async function visitMs({ origin, pids, page, filesOf }: Visited, cookies: string[]): Promise<number> {
  const processor = () => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const before = processor();
  for (const cookie of cookies) {
    const browser = new Browser(origin, cookie);
    const { body, headers } = await browser.get(page);
    const files = filesOf(
      headers["content-encoding"] === "gzip" ? gunzipSync(body).toString() : body.toString(),
    );
    await Promise.all(files.map((path) => browser.get(path)));
    browser.close();
  }
  return (processor() - before) / cookies.length;
}
