import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Seconds by test file, of its last run in `npm run test:full`. */
export type Times = Record<string, number>;

const FILE = "tests/times.json";
/** Shorter files are not written down. */
const LONG_SECONDS = 5;
/** The workers of vitest.config.ts and playwright.config.ts, and what a file takes that is not written down. */
const UNIT = { workers: 3, usualSeconds: 2 };
const BROWSER = { workers: 2, usualSeconds: 20 };

export function readTimes(): Times {
  return existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
}

/** Keeps the longest first, so that a change of the file shows what has become slow. */
export function writeTimes(measured: Times): void {
  const long = Object.entries(measured)
    .filter(([, seconds]) => seconds >= LONG_SECONDS)
    .toSorted(([, a], [, b]) => b - a)
    .map(([file, seconds]) => [file, Math.round(seconds)]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
}

/** Seconds from the first of these files to the last, by what each took before. */
export function estimateSeconds(files: string[], times: Times): number {
  return files.reduce((sum, file) => {
    const { workers, usualSeconds } = file.endsWith(".spec.ts") ? BROWSER : UNIT;
    return sum + (times[file] ?? usualSeconds) / workers;
  }, 0);
}
