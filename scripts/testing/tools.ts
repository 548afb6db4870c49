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
  env?: Record<string, string> | undefined;
  isQuiet?: boolean;
}

/** Passes signals on, so that the tool stops what it has started. */
export async function runTool(tool: Tool, args: string[], { env, isQuiet }: Options = {}) {
  const child = spawn(process.execPath, [TOOLS[tool], ...args], {
    stdio: isQuiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
  }
  const end = (signal: NodeJS.Signals) => child.kill(signal);
  process.once("SIGTERM", end).once("SIGINT", end);
  const [status] = (await once(child, "close")) as [number | null];
  process.off("SIGTERM", end).off("SIGINT", end);
  if (status === null) process.exit(1);
  return { status, output: output.trimEnd() };
}
