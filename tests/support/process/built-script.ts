import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { buildWhenStale } from "#scripts/build/build-state.mjs";
import { storeSettings } from "../store/start-store.ts";

export interface ScriptRun {
  /** The exit code. */
  code: number;
  stdout: string;
  stderr: string;
}

/** The path of a script as a host runs it; builds when the sources have changed. */
export async function builtScript(name: string): Promise<string> {
  await buildWhenStale();
  return `build/scripts/${name}.js`;
}

/**
 * Runs a script to its end as a host does, on this file's database, data folder and object store unless `env` names others; as another
 * release when it starts in that one's folder.
 */
export async function runScript(
  name: string,
  args: string[] = [],
  env: Record<string, string | undefined> = {},
  cwd?: string,
): Promise<ScriptRun> {
  const { DATABASE_URL = "", DATA_DIR = "", PATH } = process.env;
  const own = { PATH, DATABASE_URL, DATA_DIR, ...storeSettings() };
  const settings = { NODE_ENV: "production" as const, ...own, ...env };
  const command = [await builtScript(name), ...args];
  return promisify(execFile)(process.execPath, command, { cwd, env: settings }).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }: ScriptRun) => ({ code, stdout, stderr }),
  );
}
