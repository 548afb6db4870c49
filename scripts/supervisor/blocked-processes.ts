// Needed because a process whose event loop is blocked keeps its port and its jobs, and never exits: decision 204.
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { isBeat } from "#app/domain/health/beats.server.ts";

/** Elapsed time would also end a process that only waits for its turn on a busy machine. */
export const BLOCKED_AFTER_SECONDS = 20;
const LOOK_MS = 1_000;
const TICKS_A_SECOND = 100;

/** Kills a process that has used so much processor time since its last beat. One that has never sent a beat still starts. */
export function endWhenBlocked(
  child: ChildProcess,
  name: string,
  afterSeconds = BLOCKED_AFTER_SECONDS,
): void {
  // A debugger, its profiles and its snapshots of the heap hold the loop for as long as somebody needs them.
  if (isDebugged(child)) return;
  let atBeat: number | null = null;
  const look = () => {
    const used = processorSeconds(child);
    if (atBeat === null || used === null || used - atBeat < afterSeconds) return;
    console.error(`${name} has used ${afterSeconds} s of processor time without answering, and is ended`);
    clearInterval(timer);
    child.kill("SIGKILL");
  };
  child.on("message", (message) => {
    if (isBeat(message)) atBeat = processorSeconds(child);
  });
  // Beats that arrived while this process was busy are read before setImmediate.
  const timer = setInterval(() => setImmediate(look), LOOK_MS).unref();
  child.once("exit", () => clearInterval(timer));
}

function isDebugged({ spawnargs }: ChildProcess): boolean {
  return [...spawnargs, process.env.NODE_OPTIONS].some((given) => /(?:^|[\s"])--inspect/.test(given ?? ""));
}

/** Of the event loop's thread, because others work while it waits. Null where there is no /proc. */
function processorSeconds({ pid }: ChildProcess): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/task/${pid}/stat`, "utf8");
    // The program's name in parentheses may contain spaces and parentheses.
    const fields = status.slice(status.lastIndexOf(")")).split(" ");
    return (Number(fields[12]) + Number(fields[13])) / TICKS_A_SECOND;
  } catch {
    return null;
  }
}
