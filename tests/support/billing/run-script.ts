import type { StripeStandIn } from "#demo/stripe/stand-in.ts";
import { runScript } from "#tests/support/process/built-script.ts";

export interface BillingScriptRun {
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
): Promise<BillingScriptRun> {
  const settings = { STRIPE_SECRET_KEY: standIn.secretKey, STRIPE_API_URL: standIn.origin, ...env };
  const { code, stdout, stderr } = await runScript(name, args, settings);
  return { code, lines: stdout.trim().split("\n"), stderr };
}
