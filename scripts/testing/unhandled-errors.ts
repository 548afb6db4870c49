import { writeFileSync } from "node:fs";
import type { Reporter } from "vitest/node";

export const UNHANDLED_ERRORS = "test-results/unhandled-errors.json";

/** Vitest's JSON report leaves out the errors that no test has caught, so a good second look would hide them. */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd: NonNullable<Reporter["onTestRunEnd"]> = (_, errors) => {
    writeFileSync(UNHANDLED_ERRORS, JSON.stringify(errors.map(({ stack, message }) => stack ?? message)));
  };
}
