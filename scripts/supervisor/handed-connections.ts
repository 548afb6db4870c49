// Needed because a connection that Node hands to a process in the moment it is killed stays open and unanswered for
// ever: 300 s until the client of a test gave up.

import type { ChildProcess } from "node:child_process";
import type { Worker } from "node:cluster";

interface Handle {
  close(...args: unknown[]): unknown;
}

/** Closes what the process was given and did not take, when it ends; its visitors then connect again. */
export function closeWhatItDidNotTake(worker: Worker): void {
  const handed = new Set<Handle>();
  const { process: child } = worker;
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  // node:cluster itself sends connections by this method, and closes them when the process has taken them.
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
