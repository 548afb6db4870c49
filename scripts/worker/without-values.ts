import type { Task } from "graphile-worker";
import { log, withoutValues } from "#app/log.server.ts";

/** The queue prints and stores the message of a failed job, and a failed statement's message contains its values. */
export function withoutValuesInErrors(name: string, task: Task): Task {
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
