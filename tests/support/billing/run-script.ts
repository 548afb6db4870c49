import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { StripeStandIn } from "#demo/stripe/stand-in.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

export interface ScriptRun {
  /** The exit code. */
  code: number;
  /** The lines of stdout. */
  lines: string[];
  stderr: string;
}

/** Runs a script as a host would, with the stand-in as the provider; `env` adds to or overrides the settings. */
export async function runBillingScript(
  name: "billing-reconcile" | "billing-sync",
  standIn: StripeStandIn,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<ScriptRun> {
  const settings = { STRIPE_SECRET_KEY: standIn.secretKey, STRIPE_API_URL: standIn.origin, ...env };
  const { DATABASE_URL = "", DATA_DIR = "", PATH } = process.env;
  const options = { env: { NODE_ENV: "production" as const, PATH, DATABASE_URL, DATA_DIR, ...settings } };
  const command = [await builtScript(name), ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, options);
    return { code: 0, lines: stdout.trim().split("\n"), stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, lines: stdout.trim().split("\n"), stderr };
  }
}
