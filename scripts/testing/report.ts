import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";

export interface Failure {
  /** Empty if the tool itself failed. */
  file: string;
  title: string;
  message: string;
  site?: number;
}

export interface Report {
  passed: number;
  failures: Failure[];
  seconds: Record<string, number>;
  noTime: string[];
}

const FILE = "test-results/report.json";

export const emptyReport = (): Report => ({ passed: 0, failures: [], seconds: {}, noTime: [] });

export function writeReport(report: Report): void {
  writeFileSync(FILE, JSON.stringify(report));
}

/** Null if the tool ended without one. */
export function takeReport(): Report | null {
  if (!existsSync(FILE)) return null;
  const report = JSON.parse(readFileSync(FILE, "utf8")) as Report;
  rmSync(FILE);
  return report;
}
