import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

export interface Failure {
  /** Relative to the project; empty when the tool itself failed. */
  file: string;
  title: string;
  message: string;
  /** The number of the site on which a browser test ran. */
  site?: number;
}

/** What the reporters of both tools write. */
export interface Report {
  passed: number;
  failures: Failure[];
  /** Seconds by test file, of all files that ran. */
  seconds: Record<string, number>;
  /** Files that would have begun after the time of the run. */
  noTime: string[];
}

const FILE = "test-results/report.json";

export const emptyReport = (): Report => ({ passed: 0, failures: [], seconds: {}, noTime: [] });

export function writeReport(report: Report): void {
  writeFileSync(FILE, JSON.stringify(report));
}

/** Null when the tool has ended without one. */
export function takeReport(): Report | null {
  if (!existsSync(FILE)) return null;
  const report = JSON.parse(readFileSync(FILE, "utf8")) as Report;
  rmSync(FILE);
  return report;
}
