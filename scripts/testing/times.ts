import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** Seconds by test file, of its last run in `npm run test:full`. */
export type Times = Record<string, number>;

const FILE = "tests/times.json";
/** Shorter files are not written down. */
const LONG_SECONDS = 5;
/** A file that is not written down is short, or new. */
const USUAL_SECONDS = 2;
/** The workers of vitest.config.ts and playwright.config.ts. */
const UNIT_WORKERS = 3;
const BROWSER_WORKERS = 2;

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
    const workers = file.endsWith(".spec.ts") ? BROWSER_WORKERS : UNIT_WORKERS;
    return sum + (times[file] ?? USUAL_SECONDS) / workers;
  }, 0);
}
