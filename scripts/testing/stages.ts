import { buildWhenStale } from "../build/build-state.mjs";
import { type Failure, type Report, readPlaywrightReport, readVitestReport } from "./reports.ts";
import { runTool, type Tool } from "./tools.ts";

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
  /** The stage is killed after this time, and counts as failed. */
  withinMs?: number;
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
  { withinMs, workers }: Limits & { workers?: number } = {},
): Promise<Stage | null> {
  if (files.length === 0) return null;
  const report = `${RESULTS}/vitest.json`;
  const { status } = await runTool(
    "vitest",
    [
      "run",
      ...["--reporter=default", "--reporter=json", `--outputFile.json=${report}`],
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      ...files,
    ],
    { withinMs },
  );
  return ofReport("unit and integration", status, readVitestReport(report));
}

/** Null without files. With a `site`, its tests run one by one on this site alone. */
export async function runBrowserTests(
  tests: string[],
  { withinMs, site }: Limits & { site?: number } = {},
): Promise<Stage | null> {
  if (tests.length === 0) return null;
  const { status, output } = await runTool("playwright", ["test", ...tests], {
    isQuiet: true,
    withinMs,
    env: { ...process.env, ...(site === undefined ? {} : { E2E_SITE: String(site) }) },
  });
  console.log(`\n── browser\n${output}`);
  return ofReport("browser", status, readPlaywrightReport(`${RESULTS}/playwright.json`));
}

/** A tool that fails without a failed test, or ends without a test at all, has failed itself. */
function ofReport(name: string, status: number | null, report: Report | null): Stage {
  const { passed, failures, seconds } = report ?? { passed: 0, failures: [], seconds: {} };
  const stage = { name, passed, failures, unstable: [], seconds };
  if (failures.length > 0 || (status === 0 && passed > 0)) return stage;
  const message =
    status === null ? "It was ended before its tests were." : "It failed beside its tests; see above.";
  return { ...stage, failures: [{ file: "", title: name, message }] };
}

function check(name: string, failures: Failure[]): Stage {
  return { name, passed: failures.length === 0 ? 1 : 0, failures, unstable: [], seconds: {} };
}
