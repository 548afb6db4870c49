import { spawn } from "node:child_process";
import { once } from "node:events";
import { config } from "#app/config.server.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";

/** None of this process's own settings are passed on. */
export function environment(env: Record<string, string>): NodeJS.ProcessEnv {
  return { NODE_ENV: "production", PATH: process.env.PATH, ...env };
}

/** Runs the built `npm start` or another Node program until it exits, and returns its output. */
export async function failure(
  env: Record<string, string>,
  args = ["build/scripts/supervise.js"],
  cwd?: string,
): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: ["ignore", "pipe", "pipe"],
    env: environment({ DATA_DIR: config.dataDir, PORT: String(await findTestPort()), ...env }),
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, lines: text.trim().split("\n") };
}
