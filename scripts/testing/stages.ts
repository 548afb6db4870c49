import { buildWhenStale } from "../build/build-state.mjs";
import { type Failure, takeReport } from "./report.ts";
import { runTool, type Tool } from "./tools.ts";

export interface Stage {
  name: string;
  passed: number;
  failures: Failure[];
  /** Failures that were gone when the file ran again, alone. */
  unstable: Failure[];
  seconds: Record<string, number>;
  noTime: string[];
}

export const isBrowserTest = (file: string) => file.endsWith(".spec.ts");
const isFailed = (stage: Stage) => stage.failures.length > 0;

export async function runBuild(): Promise<Stage> {
  const message = await buildWhenStale().then(
    () => null,
    (error: Error) => error.message,
  );
  return check("build", message);
}

export async function runCheck(name: string, tool: Tool, args: string[]): Promise<Stage> {
  const { status, output } = await runTool(tool, args, { isQuiet: true });
  console.log(`\n── ${name}\n${output}`);
  return check(name, status === 0 ? null : output);
}

export async function runUnitTests(
  files: string[],
  options: string[] = [],
  noNewFileAfter = "",
): Promise<Stage> {
  console.log("\n── unit and integration");
  const args = [
    "run",
    "--reporter=default",
    "--reporter=./scripts/testing/vitest-reporter.ts",
    ...options,
    ...files,
  ];
  const { status } = await runTool("vitest", args, { env: { NO_NEW_TEST_FILE_AFTER: noNewFileAfter } });
  return ofReport("unit and integration", files, status);
}

export async function runBrowserTests(files: string[], site?: number): Promise<Stage> {
  console.log("\n── browser");
  const env = site === undefined ? undefined : { E2E_SITE: String(site) };
  const { status } = await runTool("playwright", ["test", ...files], { env });
  return ofReport("browser", files, status);
}

/**
 * Runs failed files once more, alone: a test that fails only beside others says nothing about the change, but
 * its name is printed.
 */
export async function lookAgain(stage: Stage, runAgain = runAlone): Promise<Stage> {
  if (!isFailed(stage) || stage.failures.some(({ file }) => file === "")) return stage;
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

/** On the same site as before: one is behind nginx, the other is not. */
async function runAlone(failures: Failure[]): Promise<Failure[]> {
  const sites = new Set(failures.map(({ site }) => site));
  const found: Failure[] = [];
  for (const site of sites) {
    const files = [...new Set(failures.filter((one) => one.site === site).map(({ file }) => file))];
    const stage = isBrowserTest(files[0] ?? "")
      ? await runBrowserTests(files, site)
      : await runUnitTests(files, ["--maxWorkers=1"]);
    found.push(...stage.failures);
  }
  return found;
}

/** A tool that skips a file, or fails without a failed test, has itself failed. */
function ofReport(name: string, files: string[], status: number, report = takeReport()): Stage {
  const { passed, failures, seconds, noTime } = report ?? {
    passed: 0,
    failures: [],
    seconds: {},
    noTime: [],
  };
  const left = files.filter((file) => !(file in seconds) && !noTime.includes(file));
  const message =
    left.length > 0
      ? `These files did not run: ${left.join(", ")}`
      : status !== 0 && failures.length === 0
        ? "It failed outside its tests: see above."
        : null;
  const own = message === null ? [] : [{ file: "", title: name, message }];
  return { name, passed, failures: [...failures, ...own], unstable: [], seconds, noTime };
}

function check(name: string, message: string | null): Stage {
  const failures = message === null ? [] : [{ file: "", title: name, message }];
  return { name, passed: message === null ? 1 : 0, failures, unstable: [], seconds: {}, noTime: [] };
}
