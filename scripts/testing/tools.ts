import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

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
    detached: options.endsAt !== undefined,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const stop = options.endsAt === undefined ? null : stopAt(child, options.endsAt);
  const [status] = (await once(child, "close")) as [number | null];
  const hasBeenStopped = stop?.();
  return { status: hasBeenStopped ? null : status, output: output.trimEnd() };
}

/** Ends the tool at a time, or with this process. The returned function says whether it did, and stops waiting. */
function stopAt(child: ChildProcess, endsAt: number): () => boolean {
  let killing: NodeJS.Timeout | undefined;
  const stop = () => {
    killing ??= setTimeout(() => killGroup(child), STOPS_WITHIN_MS);
    child.kill("SIGTERM");
  };
  const waiting = setTimeout(stop, Math.max(0, endsAt - performance.now()));
  // A terminal sends Ctrl-C to the group of this process only.
  const passOn = (signal: NodeJS.Signals) => {
    stop();
    child.once("close", () => process.kill(process.pid, signal));
  };
  const signals = ["SIGINT", "SIGTERM"] as const;
  for (const signal of signals) process.once(signal, passOn);
  return () => {
    clearTimeout(waiting);
    clearTimeout(killing);
    for (const signal of signals) process.off(signal, passOn);
    if (killing !== undefined) killGroup(child);
    return killing !== undefined;
  };
}

/** The group also holds what the tool has left behind. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
