import { stripVTControlCharacters } from "node:util";
import { listReminders } from "./reminders.ts";
import type { Failure } from "./reports.ts";
import type { Stage } from "./stages.ts";

/** Enough to know the cause where only the end of the output is kept. */
const ERROR_LINES = 12;

/** Returns whether the run is green. */
export function printSummary(stages: Stage[], maxUnstableFiles: number): boolean {
  console.log("\n── summary");
  for (const { name, passed, failures } of stages) {
    console.log(
      `${failures.length === 0 ? "ok    " : "FAILED"}  ${name} (${passed} passed, ${failures.length} failed)`,
    );
    for (const failure of failures) printFailure(failure);
  }
  const unstable = stages.flatMap((stage) => stage.unstable);
  for (const failure of unstable) {
    console.log(`UNSTABLE ${failure.file}: ${failure.title}`);
    printFailure(failure);
  }
  const unstableFiles = new Set(unstable.map(({ file }) => file)).size;
  const isTooUnstable = unstableFiles > maxUnstableFiles;
  if (isTooUnstable) console.log(`FAILED  ${unstableFiles} unstable files, ${maxUnstableFiles} allowed`);
  for (const reminder of listReminders()) console.log(`REMINDER ${reminder}`);
  const failed = stages.reduce((sum, { failures }) => sum + failures.length, isTooUnstable ? 1 : 0);
  console.log(`${stages.reduce((sum, { passed }) => sum + passed, 0)} passed, ${failed} failed`);
  return failed === 0;
}

/** One line for each failed test of the full tier; without stages, there was no time for the row. */
export function printLater(promise: string, tests: string[], stages: Stage[]): void {
  if (stages.length === 0) console.log(`LATER no time: ${promise} (${tests.join(", ")})`);
  for (const { failures, unstable } of stages) {
    for (const failure of [...failures, ...unstable]) {
      console.log(`LATER ${failure.file || promise}: ${failure.title}`);
      printFailure(failure);
    }
  }
}

function printFailure({ file, title, message }: Failure): void {
  const beginning = stripVTControlCharacters(message).split("\n").slice(0, ERROR_LINES);
  for (const line of [`${file}: ${title}`, ...beginning.map((line) => `  ${line}`)])
    console.log(`        ${line}`);
}
