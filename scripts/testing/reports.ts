import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { GATE_PAIRS, pairName } from "#tests/support/browser/pairs.ts";

const PROJECTS = GATE_PAIRS.map(pairName);

export interface Failure {
  /** The test file, relative to the project. */
  file: string;
  title: string;
  message: string;
  /** The number of the site on which a browser test ran. */
  site?: number;
}

export interface Report {
  passed: number;
  failures: Failure[];
  /** Seconds that each test file took; of a browser test, those of the pairs that the gate has. */
  seconds: Record<string, number>;
}

interface VitestFile {
  name: string;
  status: string;
  message: string;
  startTime: number;
  endTime: number;
  assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
}

/**
 * Reads what vitest's JSON reporter and our reporter of unhandled errors wrote; null when there is no report because
 * vitest itself failed.
 */
export function readVitestReport(path: string, unhandledErrors: string): Report | null {
  if (!existsSync(path) || !existsSync(unhandledErrors)) return null;
  const { testResults } = JSON.parse(readFileSync(path, "utf8")) as { testResults: VitestFile[] };
  const report: Report = { passed: 0, failures: [], seconds: {} };
  for (const { name, status, message, startTime, endTime, assertionResults } of testResults) {
    const file = relative(process.cwd(), name);
    report.seconds[file] = (endTime - startTime) / 1000;
    const failed = assertionResults.filter(({ status }) => status === "failed");
    report.passed += assertionResults.filter(({ status }) => status === "passed").length;
    // A hook fails outside of the tests, and a worker that dies leaves neither a failed test nor a message.
    if (failed.length === 0 && (status === "failed" || message))
      report.failures.push({ file, title: "the file itself", message });
    for (const { fullName, failureMessages } of failed)
      report.failures.push({ file, title: fullName, message: failureMessages.join("\n") });
  }
  for (const message of JSON.parse(readFileSync(unhandledErrors, "utf8")) as string[])
    report.failures.push({ file: "", title: "an error that no test has caught", message });
  return report;
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[];
  specs?: PlaywrightSpec[];
}

interface PlaywrightSpec {
  file: string;
  title: string;
  ok: boolean;
  tests: {
    projectName: string;
    status: string;
    results: { duration: number; parallelIndex: number; errors: { message: string }[] }[];
  }[];
}

/** Reads what Playwright's JSON reporter wrote; null when there is no report because Playwright itself failed. */
export function readPlaywrightReport(path: string): Report | null {
  if (!existsSync(path)) return null;
  const { suites, errors } = JSON.parse(readFileSync(path, "utf8")) as {
    suites: PlaywrightSuite[];
    errors: { message: string }[];
  };
  const report: Report = { passed: 0, failures: [], seconds: {} };
  for (const { message } of errors) report.failures.push({ file: "", title: "Playwright itself", message });
  for (const { file: name, title, ok, tests } of suites.flatMap(specsOf)) {
    const file = `tests/e2e/${name}`;
    for (const { projectName, status, results } of tests) {
      const seconds = sum(results.map(({ duration }) => duration / 1000));
      report.seconds[file] = (report.seconds[file] ?? 0) + (PROJECTS.includes(projectName) ? seconds : 0);
      if (ok && status !== "skipped") report.passed += 1;
      const message = results.flatMap(({ errors }) => errors.map(({ message }) => message)).join("\n");
      const site = results.at(-1)?.parallelIndex ?? 0;
      if (!ok) report.failures.push({ file, title: `[${projectName}] ${title}`, message, site });
    }
  }
  return report;
}

function specsOf({ specs = [], suites = [] }: PlaywrightSuite): PlaywrightSpec[] {
  return [...specs, ...suites.flatMap(specsOf)];
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
