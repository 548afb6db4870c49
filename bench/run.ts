import { parseArgs } from "node:util";
import { benchBilling } from "./billing.ts";
import { benchFront } from "./front.ts";
import { benchLarge } from "./large/large.ts";
import { benchLists } from "./lists/lists.ts";
import { benchLive } from "./live.ts";
import { benchMedia } from "./media.ts";
import { benchMemory } from "./memory.ts";
import { benchPages } from "./pages.ts";
import { benchProgress } from "./progress.ts";
import {
  type BenchOptions,
  printHeader,
  printRow,
  printSummary,
  type Report,
  type Row,
} from "./report/report.ts";
import { type Library, openLibrary } from "./site/site.ts";
import { benchSizing } from "./sizing.ts";
import { benchStart } from "./start.ts";
import { benchStatements } from "./statements.ts";
import { benchVisit } from "./visit.ts";

/** Suites that look at one demo catalogue. */
const SITE_SUITES: Record<
  string,
  (library: Library, options: BenchOptions, report: Report) => Promise<void>
> = {
  pages: benchPages,
  media: benchMedia,
  progress: benchProgress,
  visit: benchVisit,
  statements: benchStatements,
  memory: benchMemory,
  live: benchLive,
  front: benchFront,
  sizing: benchSizing,
};
/** Suites with a database of their own. */
const OWN_SUITES: Record<string, (options: BenchOptions, report: Report) => Promise<void>> = {
  lists: benchLists,
  billing: benchBilling,
  start: benchStart,
};
/**
 * Measures the named suites, or all of them; exits with 1 when a goal is missed. `--only` selects figures by name,
 * `--quick` takes short turns for a rough answer, `--large` compares a site with a million of everything instead.
 */
async function bench(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean" },
      large: { type: "boolean" },
      only: { type: "string", multiple: true },
    },
  });
  const options = { isQuick: values.quick ?? false, only: values.only ?? [] };
  const unknown = positionals.filter((name) => !(name in SITE_SUITES) && !(name in OWN_SUITES));
  if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(", ")}`);
  const chosen = <Suite>(suites: Record<string, Suite>) =>
    Object.entries(suites).flatMap(([name, run]) =>
      (positionals.length === 0 && !values.large) || positionals.includes(name) ? run : [],
    );
  const rows: Row[] = [];
  const report = (row: Row) => {
    rows.push(row);
    printRow(row);
  };
  printHeader();
  const siteSuites = chosen(SITE_SUITES);
  if (siteSuites.length > 0) {
    const library = await openLibrary();
    try {
      for (const run of siteSuites) await run(library, options, report);
    } finally {
      await library.close();
    }
  }
  for (const run of chosen(OWN_SUITES)) await run(options, report);
  if (values.large) await benchLarge(options, report);
  printSummary(rows);
  return rows.every(({ isMet }) => isMet);
}

// The exit is explicit because the embedded server's own exit hook would end the process with 0.
process.exit((await bench()) ? 0 : 1);
