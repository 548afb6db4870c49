import { parseArgs } from "node:util";
import { benchEncoding, encodingNames } from "./encoding/encoding.ts";
import { listGroups } from "./lists/list-names.ts";
import { benchLists } from "./lists/lists.ts";
import { benchLive } from "./live.ts";
import { benchMemory } from "./memory.ts";
import { benchPages, pageNames } from "./pages/pages.ts";
import { benchPeer, peerNames } from "./peer/peer.ts";
import { benchPooler } from "./pooler.ts";
import {
  type BenchOptions,
  printHeader,
  printRow,
  printSummary,
  type Report,
  type Row,
} from "./report/report.ts";
import { endAllOnSignal } from "./site/endings.ts";
import { type Library, openLibrary } from "./site/site.ts";
import { benchSizing } from "./sizing.ts";
import { benchStart } from "./start.ts";
import { benchStatements, statementNames } from "./statements.ts";
import { benchStore } from "./store.ts";
import { benchWatching } from "./watching.ts";

/** Suites that look at one demo catalogue. `peer` downloads another program and `store` needs one, so these run only by their names. */
const SITE_SUITES: Record<
  string,
  (library: Library, options: BenchOptions, report: Report) => Promise<void>
> = {
  pages: benchPages,
  peer: benchPeer,
  statements: benchStatements,
  memory: benchMemory,
  live: benchLive,
  sizing: benchSizing,
  pooler: benchPooler,
  encoding: benchEncoding,
  watching: benchWatching,
  store: benchStore,
};
/** Suites with a database of their own. */
const OWN_SUITES: Record<string, (options: BenchOptions, report: Report) => Promise<void>> = {
  lists: benchLists,
  start: benchStart,
};
/** The figures that `--only` selects from; the other suites measure all of theirs. */
const NAMES: Record<string, string[]> = {
  pages: [...pageNames({ isSignedIn: true }), ...pageNames({ isSignedIn: false })],
  peer: peerNames(),
  statements: statementNames(),
  lists: [...listGroups().keys()],
  encoding: encodingNames(),
};

/**
 * Measures the named suites, or all of them; exits with 1 when a goal is missed. `--only` selects figures by name,
 * `--quick` takes short turns for a rough answer.
 */
async function bench(): Promise<boolean> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      quick: { type: "boolean" },
      only: { type: "string", multiple: true },
    },
  });
  const options = { isQuick: values.quick ?? false, only: values.only ?? [] };
  const suites = [...Object.keys(SITE_SUITES), ...Object.keys(OWN_SUITES)];
  const wanted =
    positionals.length > 0 ? positionals : suites.filter((name) => !["peer", "store"].includes(name));
  if (!areKnown("suite", wanted, suites)) return false;
  const figures = wanted.flatMap((name) => NAMES[name] ?? []);
  if (!areKnown("figure", options.only, figures)) return false;
  const hasFigures = (name: string) =>
    options.only.length === 0 || !NAMES[name] || NAMES[name].some((figure) => options.only.includes(figure));
  const chosen = <Suite>(all: Record<string, Suite>) =>
    Object.entries(all).flatMap(([name, run]) => (wanted.includes(name) && hasFigures(name) ? run : []));
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
  printSummary(rows);
  return rows.every(({ isMet }) => isMet);
}

function areKnown(kind: string, names: string[], known: string[]): boolean {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return true;
  console.error(`There is no ${kind} called ${unknown.join(", ")}. The names are:\n${known.join("\n")}`);
  return false;
}

endAllOnSignal();
// The exit is explicit because the embedded server's own exit hook would end the process with 0.
process.exit((await bench()) ? 0 : 1);
