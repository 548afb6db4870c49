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
  /** By performance.now(): the tool and what it started are killed then. */
  endsAt?: number;
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
    // Killing the group ends what the tool has started, too. Without a limit, Ctrl-C has to reach the tool.
    detached: options.endsAt !== undefined,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const { endsAt } = options;
  const timer =
    endsAt === undefined
      ? undefined
      : setTimeout(() => killGroup(child.pid), Math.max(0, endsAt - performance.now()));
  const [status] = (await once(child, "close")) as [number | null];
  clearTimeout(timer);
  return { status, output: output.trimEnd() };
}

function killGroup(pid: number | undefined): void {
  if (pid !== undefined) process.kill(-pid, "SIGKILL");
}
