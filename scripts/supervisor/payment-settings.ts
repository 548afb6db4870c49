import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FILE = "stripe-stand-in.settings.json";

export type PaymentSettings = Record<
  "STRIPE_SECRET_KEY" | "STRIPE_WEBHOOK_SECRET" | "STRIPE_API_URL",
  string
>;

/** For scripts that run beside the demo. */
export function storePaymentSettings(dataDir: string, settings: PaymentSettings): void {
  const file = join(dataDir, FILE);
  const made = `${file}.${process.pid}`;
  writeFileSync(made, JSON.stringify(settings), { mode: 0o600 });
  renameSync(made, file);
}

/** Empty for a real site, and for a demo with a key of its own. */
export function findPaymentSettings(
  dataDir: string,
  env: Record<string, string | undefined>,
): Partial<PaymentSettings> {
  if (env.APP_URL || env.STRIPE_SECRET_KEY) return {};
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return {};
    throw error;
  }
}
