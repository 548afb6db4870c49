import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

const STOP_TIMEOUT_MS = 15_000;

/** Resolves when the process has exited; one that ignores SIGTERM is killed. */
export async function endProcess(child: ChildProcess, withinMs = STOP_TIMEOUT_MS): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), withinMs);
  await gone;
  clearTimeout(timer);
}
