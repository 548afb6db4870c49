import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Files that take a minute or more, in starting order. A long file that starts last would run alone while the other
 * processor is idle. Those that mostly wait stand between those that compute, so that they run beside them.
 */
const LONG_FILES = [
  "slow-clients",
  "x08-event-orders",
  "x08-lifecycles",
  "supervise",
  "routes/busy",
  "first-start",
  "media/import",
  // This one takes longest where the battery runs at full length.
  "x22-soak",
];

export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG_FILES.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
  return rank === -1 ? LONG_FILES.length : rank;
}
