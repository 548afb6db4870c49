// Needed because a connection that Node hands to a process just as it is killed stays open and unanswered.
import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:cluster";

interface Handle {
  close(...args: unknown[]): unknown;
}

/** When the process ends, closes the connections that it was given but did not take, so that their visitors connect again. */
export function closeWhatItDidNotTake(worker: Worker): void {
  const handed = new Set<Handle>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  // node:cluster sends connections by this method, and closes them when the process has taken them.
  child.send = ((message: { act?: string } | null, handle?: Handle, ...rest: unknown[]) => {
    if (message?.act === "newconn" && handle) recordUntilClosed(handle, handed);
    return send(message, handle, ...rest);
  }) as ChildProcess["send"];
  worker.once("exit", () => {
    for (const handle of [...handed]) handle.close();
  });
}

function recordUntilClosed(handle: Handle, handed: Set<Handle>): void {
  const close = handle.close;
  handed.add(handle);
  handle.close = (...args) => {
    handed.delete(handle);
    return close.apply(handle, args);
  };
}
