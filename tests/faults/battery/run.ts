import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { findFfmpeg, requireNginx } from "#scripts/build/programs.mjs";

/*
 * Runs the scenarios of this folder at full length, one after another, and prints one JSON line for each.
 *   npm run test:faults              all of them
 *   npm run test:faults -- x12 x13   those with one of the words in their file's name
 */

const folder = await mkdtemp(join(tmpdir(), "peony-faults-"));
const report = join(folder, "report.jsonl");
process.exitCode = await runScenarios(process.argv.slice(2)).finally(() =>
  rm(folder, { recursive: true, force: true }),
);

async function runScenarios(words: string[]): Promise<number> {
  await buildWhenStale();
  requireNginx();
  await writeFile(report, "");
  const files = words.length > 0 ? words.map((word) => `faults/battery/${word}`) : ["faults/battery/"];
  const vitest = spawn("npx", ["vitest", "run", "--no-file-parallelism", ...files], {
    // Standard output is for the report alone.
    stdio: ["ignore", process.stderr, process.stderr],
    env: { ...process.env, ...findFfmpeg(), FAULTS_REPORT: report },
  });
  const [status] = await once(vitest, "close");
  process.stdout.write(await readFile(report, "utf8"));
  return status ?? 1;
}
