import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { readTimes } from "../../scripts/testing/times.ts";

const times = readTimes();

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
