import type { Task } from "graphile-worker";
import { log, withoutValues } from "#app/web/log.server.ts";

/** The queue prints and keeps the message of what a job throws, and a failed statement's message quotes its values. */
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
