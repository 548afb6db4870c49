import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "stand-in.settings.json";
/** A demo that has one of these has a provider of its own. */
const OF_PROVIDERS = ["STRIPE_SECRET_KEY", "CCBILL_ACCOUNT", "BTCPAY_URL"];

/** The settings of the provider that the demo's stand-in plays, by their names. */
export type PaymentSettings = Record<string, string>;

/** For scripts that run beside the demo. */
export function storePaymentSettings(dataDir: string, settings: PaymentSettings): void {
  const file = join(dataDir, FILE);
  const made = `${file}.${process.pid}`;
  writeFileSync(made, JSON.stringify(settings), { mode: 0o600 });
  renameSync(made, file);
}

/** Empty for a real site, and for a demo with a provider of its own. */
export function findPaymentSettings(
  dataDir: string,
  env: Record<string, string | undefined>,
): PaymentSettings {
  const stored = env.APP_URL ? {} : readStored(dataDir);
  return [...OF_PROVIDERS, ...Object.keys(stored)].some((name) => env[name]) ? {} : stored;
}

function readStored(dataDir: string): PaymentSettings {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
