import { rmSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { descendants, type RunningProcess, stillRunning } from "#tests/support/process/process-tree.ts";

const POLL_MS = 100;
/** Time to stop, before they are killed. */
const STOPS_WITHIN_MS = 5_000;

const folders = new Set<string>();

/** A folder of a suite. */
export async function openFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "peony-bench-"));
  folders.add(folder);
  return folder;
}

export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  folders.delete(folder);
}

/** On Ctrl-C and the like, ends every process that the benchmark has started, and removes its folders. */
export function endAllOnSignal(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      // Synchronous, so that no suite starts another server meanwhile.
      endDescendants();
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      process.exit(1);
    });
  }
}

function endDescendants(): void {
  const started = new Map<number, RunningProcess>();
  for (const deadline = Date.now() + STOPS_WITHIN_MS; ; ) {
    // A process whose parent has ended is nobody's descendant any more.
    for (const pid of [process.pid, ...started.keys()]) {
      for (const found of descendants(pid)) {
        // PostgreSQL waits for its clients at SIGTERM, and this process is one.
        if (!started.has(found.pid)) send(found.pid, "SIGINT");
        started.set(found.pid, found);
      }
    }
    const running = stillRunning([...started.values()]);
    if (running.length === 0) return;
    if (Date.now() > deadline) {
      for (const { pid } of running) send(pid, "SIGKILL");
      return;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}
