import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DEMO_BYTES = 32;
const MIN_LENGTH = 32;
/** A million of openssl rand -hex 16 scored at least 51 bits, and one of many runs 49; patterns and placeholders stay below 40. */
const MIN_BITS = 45;
/** Common in placeholders and very unlikely in a random secret. */
const WORDS =
  /password|passphrase|secret|session|change|replace|example|please|insert|your|here|with|characters?|random|openssl|rand|hex|least|admin|letmein|welcome|qwerty\w{0,4}|asdf\w{0,5}|zxcv\w{0,3}|default|demo/gi;

const HOW_MANY = "must be one secret or, while one is replaced, the new one, a comma and the old one";
const TOO_SHORT = `must have at least ${MIN_LENGTH} characters`;
const TOO_WEAK = "is too easy to guess; make one with openssl rand -hex 32";

/** The first one signs. */
export function splitSecrets(setting: string): string[] {
  return setting.split(/ *, */);
}

/** Returns what is wrong with the setting, without repeating any of it; null when it is good. */
export function secretProblem(setting: string): string | null {
  const secrets = splitSecrets(setting);
  if (secrets.length > 2 || new Set(secrets).size < secrets.length) return HOW_MANY;
  if (secrets.some((secret) => secret.length < MIN_LENGTH)) return TOO_SHORT;
  return secrets.some((secret) => estimateBits(secret) < MIN_BITS) ? TOO_WEAK : null;
}

/** An upper bound: it detects patterns, placeholders and small alphabets, but not sentences or known secrets. */
export function estimateBits(secret: string): number {
  const text = secret.replace(WORDS, "");
  const seen = new Set<string>();
  let free = 0;
  for (let at = 0; at < text.length; at += 1) {
    const step = text.charCodeAt(at) - text.charCodeAt(at - 1);
    const ending = text.slice(at - 2, at + 1);
    const isRepeated = at >= 2 && seen.has(ending);
    if (at >= 2) seen.add(ending);
    // A character adds nothing when it repeats or neighbors the last one, or ends a sequence seen before.
    if (!(Math.abs(step) <= 1) && !isRepeated) free += 1;
  }
  return free * Math.log2(Math.max(new Set(text).size, 1));
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
