import type { Task } from "graphile-worker";
import type { JobName } from "#app/domain/jobs/jobs.ts";
import { noteOutcome, type Outcome } from "#app/domain/jobs/outcomes.server.ts";

/** The same job, with its outcome and time in the metrics. */
export function counted(name: JobName, task: Task): Task {
  return async (payload, helpers) => {
    const startedAt = performance.now();
    const note = (outcome: Outcome) => noteOutcome(name, outcome, (performance.now() - startedAt) / 1000);
    try {
      const result = await task(payload, helpers);
      note("succeeded");
      return result;
    } catch (error) {
      const { attempts, max_attempts } = helpers.job;
      note(attempts < max_attempts ? "failed" : "gave-up");
      throw error;
    }
  };
}
