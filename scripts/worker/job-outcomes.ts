import type { Task } from "graphile-worker";
import type { JobName } from "#app/domain/jobs/jobs.ts";
import { countOutcome, type Outcome } from "#app/domain/jobs/outcomes.server.ts";
import { log, withoutValues } from "#app/log.server.ts";

export function counted(name: JobName, task: Task): Task {
  return async (payload, helpers) => {
    const startedAt = performance.now();
    // A job does not fail because its outcome could not be counted.
    const count = (outcome: Outcome) =>
      countOutcome(name, outcome, (performance.now() - startedAt) / 1000).catch(() => {});
    try {
      const result = await task(payload, helpers);
      await count("succeeded");
      return result;
    } catch (error) {
      const { attempts, max_attempts } = helpers.job;
      await count(attempts < max_attempts ? "failed" : "gave-up");
      throw error;
    }
  };
}

/** Rethrows the error without the statement's values, because the queue stores the message. */
export function logFailure(name: string, task: Task): Task {
  return async (payload, helpers) => {
    try {
      return await task(payload, helpers);
    } catch (error) {
      log.warn({ job: name, err: error }, "job failed");
      const { type, message } = withoutValues(error);
      throw new Error(`${type}${message === undefined ? "" : `: ${message}`}`);
    }
  };
}
