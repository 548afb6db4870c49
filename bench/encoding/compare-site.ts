import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { paths } from "#app/paths.ts";
import { load, type Target, type Throughput, throughputText, warmUp } from "../load/load.ts";
import { cookiesOf } from "../pages/pages.ts";
import { median } from "../report/figures.ts";
import type { Report } from "../report/report.ts";
import { end, start } from "../site/programs.ts";
import { type Library, startWeb } from "../site/site.ts";
import { draw } from "./source-videos.ts";

const GOAL = 0.8;
const LOAD_SECONDS = 3;
/** Its largest size takes longer than a turn, and each turn begins it anew. Longer ones only take longer to save. */
const LONG_VIDEO = { size: "1920x1080", seconds: 60 };
const AT_ONCE = 2;
const POLL_MS = 100;
const MADE_WITHIN_MS = 300_000;

/** The site beside two encodings, against the site alone. */
export async function compareSite(
  library: Library,
  folder: string,
  { turns, report }: { turns: number; report: Report },
): Promise<void> {
  const { saveVideo } = await import("#tests/media/support/encoded.ts");
  const { runEncodingStep } = await import("#app/domain/catalog/encoding/run-step.server.ts");
  await saveVideo(await draw(folder, "long.mp4", LONG_VIDEO));
  // A worker that stops begins its step anew, and each turn would wait until it has read the source.
  const never = new AbortController().signal;
  await runEncodingStep(1, { stopping: never, lost: never });
  const site = await startWeb(library);
  try {
    const target: Target = {
      ...site,
      requestsOf: (connection) =>
        cookiesOf(library, connection).map((cookie) => ({ path: paths.home(), headers: { cookie } })),
    };
    await warmUp(target);
    const alone: Throughput[] = [];
    const beside: Throughput[] = [];
    for (let turn = 0; turn < turns; turn += 1) {
      alone.push(await load(target, LOAD_SECONDS));
      const worker = start(["build/scripts/worker.js"], library.env({ ENCODING_JOBS: String(AT_ONCE) }));
      await untilTwoSizesAreMade(library, worker);
      beside.push(await load(target, LOAD_SECONDS));
      await end(worker);
    }
    const share = median(
      beside.map(({ perSecond }, turn) => perSecond / (alone[turn]?.perSecond ?? Number.NaN)),
    );
    const middle = (of: Throughput[]) => ({
      perSecond: median(of.map(({ perSecond }) => perSecond)),
      cpuMs: median(of.map(({ cpuMs }) => cpuMs)),
    });
    report({
      name: "the home page beside two encodings",
      figure: throughputText(middle(beside)),
      reference: `alone ${throughputText(middle(alone))}`,
      ratio: share,
      goal: `>= ${GOAL}`,
      isMet: share >= GOAL,
    });
  } finally {
    await site.stop();
  }
}

/** Reading a source takes less of the processors than making a size does. */
async function untilTwoSizesAreMade({ sql }: Library, worker: ChildProcess): Promise<void> {
  for (const deadline = Date.now() + MADE_WITHIN_MS; ; await sleep(POLL_MS)) {
    const running = await sql`
      SELECT DISTINCT claimed_by FROM media_work WHERE state = 'running' AND step LIKE 'rung-%'`;
    if (running.length === AT_ONCE) return;
    if (worker.exitCode !== null || worker.signalCode !== null) throw new Error("the worker has ended");
    if (Date.now() > deadline) throw new Error("the worker did not make two sizes at once");
  }
}
