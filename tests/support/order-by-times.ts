import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Seconds by file, of the last whole run. */
const times: Record<string, number> = existsSync("tests/times.json")
  ? JSON.parse(readFileSync("tests/times.json", "utf8"))
  : {};

/** Longest first: a long file that starts last would run alone while the other processor is idle. */
export class OrderByTimes extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => secondsOf(b) - secondsOf(a));
  }
}

function secondsOf({ moduleId }: TestSpecification): number {
  return times[relative(process.cwd(), moduleId)] ?? 0;
}
