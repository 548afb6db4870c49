import { readFileSync, writeFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1e6;
/** Linux counts a hundred ticks a second for programs, whatever its own clock. */
const MS_PER_TICK = 10;

/** The processor time of the event loop's thread in milliseconds; other processes do not affect it. */
export function eventLoopCpuMs(pid: number): number {
  const [used] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(used) / NANOSECONDS_PER_MS;
}

/** The processor time of a whole process in milliseconds, in steps of 10. */
export function processorMs(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "";
  const [user, system] = afterName.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) * MS_PER_TICK;
}

/** The memory of a process in MB; processes that share a part of it count a share each. */
export function sharedMemoryMb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1]) / 1024;
}

/** The memory of a process in MB: its current size, and its peak since forgetPeak(). */
export function memoryMb(pid: number): { now: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const mb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
  return { now: mb("VmRSS"), peak: mb("VmHWM") };
}

export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, "5");
}
