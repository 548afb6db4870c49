import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { descendants, type RunningProcess, stillRunning } from "#tests/support/process/process-tree.ts";

const TOOLS = {
  biome: "node_modules/@biomejs/biome/bin/biome",
  knip: "node_modules/knip/bin/knip.js",
  playwright: "node_modules/@playwright/test/cli.js",
  tsc: "node_modules/typescript/bin/tsc",
  vitest: "node_modules/vitest/vitest.mjs",
};
export type Tool = keyof typeof TOOLS;

interface Options {
  env?: NodeJS.ProcessEnv;
  /** Keeps the output instead of printing it as it comes. */
  isQuiet?: boolean;
  /** By performance.now(): the tool has to end then. */
  endsAt?: number;
}

interface Ended {
  /** Null when the tool was ended. */
  status: number | null;
  output: string;
}

/** Within which a tool that has to end stops the servers and databases that it has started. */
const STOPS_WITHIN_MS = 20_000;

/** Runs a development tool on this Node.js. */
export async function runTool(tool: Tool, args: string[], options: Options = {}): Promise<Ended> {
  const child = spawn(process.execPath, [TOOLS[tool], ...args], {
    stdio: options.isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    env: options.env ?? process.env,
    // A group of its own can be killed with all that the tool has started.
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const stop = stopAt(child, options.endsAt);
  const [status] = (await once(child, "close")) as [number | null];
  const hasBeenStopped = await stop();
  return { status: hasBeenStopped ? null : status, output: output.trimEnd() };
}

/** Ends the tool at a time, or with this process. The returned function says whether it did, and stops waiting. */
function stopAt(child: ChildProcess, endsAt: number | undefined): () => Promise<boolean> {
  let killing: NodeJS.Timeout | undefined;
  let received: NodeJS.Signals | undefined;
  let started: RunningProcess[] = [];
  const stop = (signal?: NodeJS.Signals) => {
    received ??= signal;
    if (killing !== undefined) return;
    started = descendants(child.pid ?? 0);
    killing = setTimeout(() => killGroup(child), STOPS_WITHIN_MS);
    child.kill("SIGTERM");
  };
  const waiting =
    endsAt === undefined ? undefined : setTimeout(stop, Math.max(0, endsAt - performance.now()), undefined);
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, stop);
  return async () => {
    clearTimeout(waiting);
    clearTimeout(killing);
    if (killing !== undefined) {
      killGroup(child);
      await endLeft(started);
    }
    for (const signal of signals) process.off(signal, stop);
    if (received !== undefined) process.kill(process.pid, received);
    return killing !== undefined;
  };
}

/** Tests start sites and databases in groups of their own, which outlive the tool's. */
async function endLeft(started: RunningProcess[]): Promise<void> {
  const endsAt = performance.now() + STOPS_WITHIN_MS;
  signalAll(stillRunning(started), "SIGTERM");
  while (stillRunning(started).length > 0 && performance.now() < endsAt) await wait(200);
  signalAll(stillRunning(started), "SIGKILL");
}

function signalAll(processes: RunningProcess[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) trySignal(pid, signal);
}

/** The group also holds what the tool has left behind. */
function killGroup({ pid }: ChildProcess): void {
  if (pid !== undefined) trySignal(-pid, "SIGKILL");
}

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
