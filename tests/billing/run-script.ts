import { execFile } from "node:child_process";
import { promisify } from "node:util";
import type { StripeStandIn } from "#scripts/dev/stripe/stand-in.ts";

export interface ScriptRun {
  /** What it ended with. */
  code: number;
  /** Of what it printed. */
  lines: string[];
  stderr: string;
}

/** Runs a script as a host does whose provider is the stand-in; `env` is set besides, or instead. */
export async function runBillingScript(
  name: "billing-reconcile" | "billing-sync",
  standIn: StripeStandIn,
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<ScriptRun> {
  const settings = { STRIPE_SECRET_KEY: standIn.secretKey, STRIPE_API_URL: standIn.origin, ...env };
  const { DATABASE_URL = "", DATA_DIR = "", PATH } = process.env;
  const options = { env: { NODE_ENV: "production" as const, PATH, DATABASE_URL, DATA_DIR, ...settings } };
  const command = ["--import", "tsx", `scripts/${name}.ts`, ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, options);
    return { code: 0, lines: stdout.trim().split("\n"), stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, lines: stdout.trim().split("\n"), stderr };
  }
}
