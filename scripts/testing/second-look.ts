import type { Failure } from "./reports.ts";
import { runBrowserTests, runUnitTests, type Stage } from "./stages.ts";

/**
 * Runs the failed test files again, alone: a test that fails only beside others says nothing about the change, but it
 * is named until it is mended. There is no third look.
 */
export async function lookAgain(stages: Stage[]): Promise<Stage[]> {
  const settled: Stage[] = [];
  for (const stage of stages) settled.push(await lookAgainAt(stage));
  return settled;
}

async function lookAgainAt(stage: Stage): Promise<Stage> {
  // A failure without a file is one of the tool itself.
  if (stage.failures.length === 0 || stage.failures.some(({ file }) => file === "")) return stage;
  console.log(`\n── second look: ${stage.name}`);
  const again =
    stage.name === "browser" ? await browserAgain(stage.failures) : await unitAgain(stage.failures);
  const isRed = ({ file }: Failure) => again.some((failure) => failure.file === file || failure.file === "");
  const unstable = stage.failures.filter((failure) => !isRed(failure));
  return {
    ...stage,
    passed: stage.passed + unstable.length,
    failures: stage.failures.filter(isRed),
    unstable,
  };
}

async function unitAgain(failures: Failure[]): Promise<Failure[]> {
  const files = [...new Set(failures.map(({ file }) => file))];
  return (await runUnitTests(files, { workers: 1 }))?.failures ?? [];
}

/** On the same site as before: one is behind nginx, and the other is not. */
async function browserAgain(failures: Failure[]): Promise<Failure[]> {
  const again: Failure[] = [];
  for (const site of new Set(failures.map(({ site }) => site))) {
    const files = [...new Set(failures.filter((one) => one.site === site).map(({ file }) => file))];
    again.push(...((await runBrowserTests(files, { site }))?.failures ?? []));
  }
  return again;
}
