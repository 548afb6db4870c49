import { compareThroughput, type Target, throughputText, warmUp } from "../load/load.ts";
import { listPages, targetOf } from "../pages/pages.ts";
import type { BenchOptions, Report } from "../report/report.ts";
import { type Library, startWeb } from "../site/site.ts";
import { type Ghost, startGhost } from "./ghost.ts";

const WEB_PROCESSES = 2;
const PAIRS = 6;
/** Requests a second, in shares of Ghost's front page. */
const GOALS: Record<string, number> = {
  home: 1.3,
  list: 1.5,
  watch: 2.2,
  set: 1.8,
  "home, signed out": 4,
  "list, signed out": 4,
};

export function peerNames(): string[] {
  return Object.keys(GOALS);
}

/** Compares pages with the front page of Ghost, which shows its first post to a signed-out visitor. */
export async function benchPeer(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const site = await startWeb(library, { processes: WEB_PROCESSES });
  let ghost: Ghost | null = null;
  try {
    ghost = await startGhost(library.folder);
    const front: Target = {
      origin: ghost.origin,
      pids: [ghost.pid],
      requestsOf: () => [{ path: "/", headers: { "accept-encoding": "gzip" } }],
    };
    const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
    const pages = (await listPages(library)).filter(({ name }) => name in GOALS && isWanted(name));
    for (const [index, page] of pages.entries()) {
      const target = targetOf(library, site, page);
      if (index === 0) await warmUp(target, front);
      const compared = await compareThroughput(target, front, { ...options, turns: PAIRS });
      const goal = GOALS[page.name] ?? Number.NaN;
      report({
        name: page.name,
        figure: throughputText(compared.site),
        reference: `Ghost's front page ${throughputText(compared.reference)}`,
        ratio: compared.share,
        goal: `>= ${goal.toFixed(1)}`,
        isMet: compared.share >= goal,
      });
    }
  } finally {
    await Promise.all([site.stop(), ghost?.stop()]);
  }
}
