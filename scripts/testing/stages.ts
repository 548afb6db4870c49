import { rmSync } from "node:fs";
import { buildWhenStale } from "../build/build-state.mjs";
import { type Failure, type Report, readPlaywrightReport, readVitestReport } from "./reports.ts";
import { runTool, type Tool } from "./tools.ts";
import { UNHANDLED_ERRORS } from "./unhandled-errors.ts";

export interface Stage {
  name: string;
  passed: number;
  failures: Failure[];
  /** Failures that were gone when the file ran again, alone. */
  unstable: Failure[];
  /** Seconds by test file. */
  seconds: Record<string, number>;
}

export interface Limits {
  /** By performance.now(): the stage is killed then, and counts as failed. */
  endsAt?: number;
}

const RESULTS = "test-results";

export async function runBuild(): Promise<Stage> {
  const failures = await buildWhenStale().then(
    () => [],
    (error: Error) => [{ file: "", title: "the build", message: error.message }],
  );
  return check("build", failures);
}

export async function runCheck(name: string, tool: Tool, args: string[]): Promise<Stage> {
  const { status, output } = await runTool(tool, args, { isQuiet: true });
  console.log(`\n── ${name}\n${output}`);
  return check(name, status === 0 ? [] : [{ file: "", title: name, message: output }]);
}

/** Null without files. `workers`: the configured number when omitted. */
export async function runUnitTests(
  files: string[],
  { endsAt, workers }: Limits & { workers?: number } = {},
): Promise<Stage | null> {
  if (files.length === 0) return null;
  const report = `${RESULTS}/vitest.json`;
  for (const path of [report, UNHANDLED_ERRORS]) rmSync(path, { force: true });
  const { status } = await runTool(
    "vitest",
    [
      "run",
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
      "--reporter=./scripts/testing/unhandled-errors.ts",
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      ...files,
    ],
    { endsAt },
  );
  return ofReport("unit and integration", files, status, readVitestReport(report, UNHANDLED_ERRORS));
}

/** Null without files. With a `site`, its tests run one by one on this site alone. */
export async function runBrowserTests(
  tests: string[],
  { endsAt, site }: Limits & { site?: number } = {},
): Promise<Stage | null> {
  if (tests.length === 0) return null;
  const report = `${RESULTS}/playwright.json`;
  rmSync(report, { force: true });
  console.log("\n── browser");
  const { status } = await runTool("playwright", ["test", ...tests], {
    endsAt,
    env: { ...process.env, ...(site === undefined ? {} : { E2E_SITE: String(site) }) },
  });
  return ofReport("browser", tests, status, readPlaywrightReport(report));
}

/**
 * A tool that fails without a failed test, is killed, or leaves out a file has failed itself: that is a failure without
 * a file, which gets no second look.
 */
export function ofReport(name: string, files: string[], status: number | null, report: Report | null): Stage {
  const { passed, failures, seconds } = report ?? { passed: 0, failures: [], seconds: {} };
  const stage = { name, passed, failures, unstable: [], seconds };
  const left = files.filter((file) => !(file in seconds));
  const message =
    status === null
      ? "It was ended before its tests were."
      : left.length > 0
        ? `These files have not run: ${left.join(", ")}`
        : status !== 0 && failures.length === 0
          ? "It failed beside its tests; see above."
          : null;
  return message === null ? stage : { ...stage, failures: [...failures, { file: "", title: name, message }] };
}

function check(name: string, failures: Failure[]): Stage {
  return { name, passed: failures.length === 0 ? 1 : 0, failures, unstable: [], seconds: {} };
}
