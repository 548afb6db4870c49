import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DEMO_BYTES = 32;
const MIN_LENGTH = 32;

const HOW_MANY = "must be one secret or, while you replace it, the new one, a comma and the old one";
const TOO_SHORT = `must have at least ${MIN_LENGTH} characters; make one with openssl rand -hex 32`;

/** The first one signs. */
export function splitSecrets(setting: string): string[] {
  return setting.split(/ *, */);
}

/** Returns what is wrong with the setting, without repeating any of it; null when it is good. */
export function secretProblem(setting: string): string | null {
  const secrets = splitSecrets(setting);
  if (secrets.length > 2 || new Set(secrets).size < secrets.length) return HOW_MANY;
  return secrets.some((secret) => secret.length < MIN_LENGTH) ? TOO_SHORT : null;
}

/** Stored in the data folder, so that a restart does not sign everybody out. */
export function demoSecret(dataDir: string): string {
  const file = join(dataDir, "session-secret");
  mkdirSync(dataDir, { recursive: true });
  try {
    writeFileSync(file, randomBytes(DEMO_BYTES).toString("hex"), { flag: "wx", mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  return readFileSync(file, "utf8");
}
