import { readFileSync, writeFileSync } from "node:fs";

const NANOSECONDS_PER_MS = 1e6;

/** The processor time of the event loop's thread in milliseconds; other processes do not affect it. */
export function eventLoopCpuMs(pid: number): number {
  const [used] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ");
  return Number(used) / NANOSECONDS_PER_MS;
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
