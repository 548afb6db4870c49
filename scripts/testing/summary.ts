import { stripVTControlCharacters } from "node:util";
import type { Failure } from "./report.ts";
import type { Stage } from "./stages.ts";

const MAX_UNSTABLE_FILES = 2;
/** Enough to see the cause where only the end of the output is kept. */
const ERROR_LINES = 12;
const LONGEST_FILES = 10;

/** Returns whether the run is green. */
export function printSummary(stages: Stage[]): boolean {
  console.log("\n── summary");
  const longest = stages
    .flatMap(({ seconds }) => Object.entries(seconds))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, LONGEST_FILES);
  for (const [file, seconds] of longest) console.log(`${seconds.toFixed(0).padStart(5)} s  ${file}`);
  for (const { name, passed, failures } of stages) {
    if (passed + failures.length === 0) continue;
    const verdict = failures.length === 0 ? "ok    " : "FAILED";
    console.log(`${verdict}  ${name} (${passed} passed, ${failures.length} failed)`);
    for (const failure of failures) printFailure(failure);
  }
  const noTime = stages.flatMap((stage) => stage.noTime);
  if (noTime.length > 0) console.log(`Files without time to run: ${noTime.length}`);
  const unstable = stages.flatMap((stage) => stage.unstable);
  for (const failure of unstable) {
    console.log(`UNSTABLE ${failure.file}: ${failure.title}`);
    printFailure(failure);
  }
  const unstableFiles = new Set(unstable.map(({ file }) => file)).size;
  const isTooUnstable = unstableFiles > MAX_UNSTABLE_FILES;
  if (isTooUnstable) console.log(`FAILED  ${unstableFiles} unstable files, ${MAX_UNSTABLE_FILES} allowed`);
  const passed = stages.reduce((sum, stage) => sum + stage.passed, 0);
  const failed = stages.reduce((sum, { failures }) => sum + failures.length, isTooUnstable ? 1 : 0);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0;
}

function printFailure({ file, title, message }: Failure): void {
  const beginning = stripVTControlCharacters(message).split("\n").slice(0, ERROR_LINES);
  for (const line of [`${file}: ${title}`, ...beginning.map((line) => `  ${line}`)])
    console.log(`        ${line}`);
}
