import type { Failure } from "./reports.ts";
import { runBrowserTests, runUnitTests, type Stage } from "./stages.ts";

type RunAgain = (failures: Failure[]) => Promise<Failure[]>;

/**
 * Runs the failed test files again, alone: a test that fails only beside others says nothing about the change, but it
 * is named until it is mended. There is no third look.
 */
export async function lookAgain(stages: Stage[]): Promise<Stage[]> {
  const judged: Stage[] = [];
  for (const stage of stages) {
    judged.push(await judge(stage, stage.name === "browser" ? runBrowserAgain : runUnitAgain));
  }
  return judged;
}

/** A failure without a file is one of the tool itself, and stays. */
export async function judge(stage: Stage, runAgain: RunAgain): Promise<Stage> {
  if (stage.failures.length === 0 || stage.failures.some(({ file }) => file === "")) return stage;
  console.log(`\n── second look: ${stage.name}`);
  const again = await runAgain(stage.failures);
  const isRed = ({ file }: Failure) => again.some((failure) => failure.file === file || failure.file === "");
  const unstable = stage.failures.filter((failure) => !isRed(failure));
  return {
    ...stage,
    passed: stage.passed + unstable.length,
    failures: stage.failures.filter(isRed),
    unstable,
  };
}

async function runUnitAgain(failures: Failure[]): Promise<Failure[]> {
  return (await runUnitTests(filesOf(failures), { workers: 1 }))?.failures ?? [];
}

/** On the same site as before: one is behind nginx, and the other is not. */
async function runBrowserAgain(failures: Failure[]): Promise<Failure[]> {
  const again: Failure[] = [];
  for (const site of new Set(failures.map(({ site }) => site))) {
    const files = filesOf(failures.filter((one) => one.site === site));
    again.push(...((await runBrowserTests(files, { site }))?.failures ?? []));
  }
  return again;
}

function filesOf(failures: Failure[]): string[] {
  return [...new Set(failures.map(({ file }) => file))];
}
