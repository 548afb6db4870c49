import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { findFfmpeg, requireNginx } from "#scripts/build/programs.mjs";
import { chosen, linesOfAbsent, PHASES } from "./support/scenarios.ts";

/*
 * Runs the scenarios of this folder at full length, and prints one JSON line for each and one for the whole time.
 *   npm run test:faults              all of them
 *   npm run test:faults -- x12 x13   those with one of the words at the beginning of their file's name
 */

/** On two processors that do nothing else. */
const MAX_MINUTES = 25;

const folder = await mkdtemp(join(tmpdir(), "peony-faults-"));
const report = join(folder, "report.jsonl");
process.exitCode = await runScenarios(process.argv.slice(2)).finally(() =>
  rm(folder, { recursive: true, force: true }),
);

async function runScenarios(words: string[]): Promise<number> {
  const phases = PHASES.map(({ scenarios, atOnce }) => ({ scenarios: chosen(scenarios, words), atOnce }));
  const all = phases.flatMap(({ scenarios }) => scenarios);
  if (all.length === 0) {
    console.error(`No scenario's name begins with ${words.join(" or ")}.`);
    return 2;
  }
  await buildWhenStale();
  requireNginx();
  await writeFile(report, "");
  const startedAt = performance.now();
  let isGreen = true;
  for (const { scenarios, atOnce } of phases) {
    if ((await runTests(scenarios, atOnce)) !== 0) isGreen = false;
  }
  const minutes = (performance.now() - startedAt) / 60_000;

  const written = await readFile(report, "utf8");
  const absent = linesOfAbsent(all, written);
  const isInTime = minutes <= MAX_MINUTES;
  const whole = { minutes: { is: Math.round(minutes * 10) / 10, atMost: MAX_MINUTES } };
  const total = JSON.stringify({ id: "total", pass: isInTime, figures: whole });
  process.stdout.write(written + [...absent, total].map((line) => `${line}\n`).join(""));
  return isGreen && absent.length === 0 && isInTime ? 0 : 1;
}

/** Resolves to the exit status. */
async function runTests(names: string[], atOnce: number): Promise<number> {
  if (names.length === 0) return 0;
  const files = names.map((name) => `/${name}.test.ts`);
  const vitest = spawn("npx", ["vitest", "run", `--maxWorkers=${atOnce}`, ...files], {
    // Standard output is for the report alone.
    stdio: ["ignore", process.stderr, process.stderr],
    env: { ...process.env, ...findFfmpeg(), FAULTS_REPORT: report },
  });
  const [status] = await once(vitest, "close");
  return status ?? 1;
}
