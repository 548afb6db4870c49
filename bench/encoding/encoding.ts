import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { BenchOptions, Report } from "../report/report.ts";
import type { Library } from "../site/site.ts";
import { compareLadder } from "./compare-ladder.ts";
import { compareSite } from "./compare-site.ts";
import { compareWithBare } from "./compare-with-bare.ts";

const SITE_TURNS = { full: 5, quick: 2 };
/** Each takes four minutes. */
const VIDEO_TURNS = { full: 3, quick: 1 };

const FIGURES = { video: "making a video", ladder: "ladder", site: "the site beside" };

export function encodingNames(): string[] {
  return Object.values(FIGURES);
}

export async function benchEncoding(library: Library, options: BenchOptions, report: Report): Promise<void> {
  const { isQuick } = options;
  const size = isQuick ? "quick" : "full";
  const turns = VIDEO_TURNS[size];
  const folder = await mkdtemp(join(library.folder, "encoding-"));
  const isWanted = (name: string) => options.only.length === 0 || options.only.includes(name);
  if (isWanted(FIGURES.video)) await compareWithBare(FIGURES.video, folder, { turns, report });
  if (isWanted(FIGURES.ladder)) await compareLadder(library, folder, { isQuick, turns, report });
  if (isWanted(FIGURES.site)) await compareSite(library, folder, { turns: SITE_TURNS[size], report });
}
