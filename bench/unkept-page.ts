import { paths } from "#app/paths.ts";
import { Browser } from "./load/browser.ts";
import { median } from "./report/figures.ts";
import type { BenchOptions, Report } from "./report/report.ts";
import type { Library } from "./site/site.ts";

const VISITORS = 12;
const GOAL = 1.3;
/** A page takes milliseconds, so one answer that is late by chance would decide few turns. */
const TURNS = { full: 41, quick: 11 };
const WARM_UP_TURNS = 5;

/** Twelve visitors open a page at once that nobody has opened before. Compares how long the last one waits, with nginx and without. */
export async function compareUnkeptPage(
  { visitor }: Library,
  { front, direct }: { front: string; direct: string },
  { isQuick }: BenchOptions,
  report: Report,
): Promise<void> {
  const found: Record<"front" | "direct", number[]> = { front: [], direct: [] };
  const turns = isQuick ? TURNS.quick : TURNS.full;
  for (let turn = -WARM_UP_TURNS; turn < turns; turn += 1) {
    // The site keeps a page by its address.
    const path = `${paths.list("video")}?turn=${turn}`;
    const measured = {
      front: await slowestMs(front, path, visitor),
      direct: await slowestMs(direct, path, visitor),
    };
    if (turn < 0) continue;
    found.front.push(measured.front);
    found.direct.push(measured.direct);
  }
  const ratio = median(found.front) / median(found.direct);
  report({
    name: "twelve at once at an unkept page",
    figure: `${median(found.front).toFixed(0)} ms for the slowest`,
    reference: `without nginx ${median(found.direct).toFixed(0)} ms`,
    ratio,
    goal: `<= ${GOAL}`,
    isMet: ratio <= GOAL,
  });
}

async function slowestMs(origin: string, path: string, cookie: string): Promise<number> {
  const visitors = Array.from({ length: VISITORS }, () => new Browser(origin, cookie));
  const begunAt = performance.now();
  try {
    await Promise.all(visitors.map((one) => one.get(path)));
    return performance.now() - begunAt;
  } finally {
    for (const one of visitors) one.close();
  }
}
