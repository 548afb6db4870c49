import { spawn } from "node:child_process";
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
  /** The tool and what it started are killed after this time. */
  withinMs?: number;
}

interface Ended {
  /** Null when the tool was killed. */
  status: number | null;
  output: string;
}

/** Runs a development tool on this Node.js. */
export async function runTool(tool: Tool, args: string[], options: Options = {}): Promise<Ended> {
  const child = spawn(process.execPath, [TOOLS[tool], ...args], {
    stdio: options.isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    env: options.env ?? process.env,
    // A group of its own can be killed as a whole; without a limit, Ctrl-C has to reach the tool.
    detached: options.withinMs !== undefined,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const limit = options.withinMs;
  const timer = limit === undefined ? undefined : setTimeout(() => killGroup(child.pid), limit);
  const [status] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { status, output: output.trimEnd() };
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
