import { readdirSync, readFileSync } from "node:fs";

export interface RunningProcess {
  pid: number;
  command: string;
}

/** All descendants of this process, with their command lines. */
export function descendants(pid: number): RunningProcess[] {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const children = all.filter((candidate) => parentOf(candidate) === pid);
  return children.flatMap((child) => [{ pid: child, command: commandOf(child) }, ...descendants(child)]);
}

/** The processes that are still running; a reused process id does not count. */
export function stillRunning(processes: RunningProcess[]): RunningProcess[] {
  return processes.filter(({ pid, command }) => command !== "" && commandOf(pid) === command);
}

function parentOf(pid: number): number {
  try {
    return Number(/PPid:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]);
  } catch {
    return 0;
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
