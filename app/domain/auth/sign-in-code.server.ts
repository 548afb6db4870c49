import { randomBytes } from "node:crypto";
import { keyedHashes } from "#app/domain/keys/keys.server.ts";
import { toPlainWidth, withoutInvisible } from "#app/texts.ts";

/** Crockford's base32: no I, L, O or U, so that a code survives being read aloud or copied by hand. */
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 8;

export function newCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join("");
}

const IS_CODE = new RegExp(`^[${CODE_ALPHABET}]{${CODE_LENGTH}}$`);
/** Eight letters and digits, or two groups of four. */
const CANDIDATES = /(?<![\p{L}\p{N}])(?=([\p{L}\p{N}]{4}[\s\p{Pd}\u2212]*[\p{L}\p{N}]{4})(?![\p{L}\p{N}]))/gu;
const LABEL = /^code\b|\bcode$/i;

/** The only code in what was typed or pasted, perhaps in a sentence; null if there is none, or more than one. */
export function readCode(typed: string): string | null {
  const plain = toPlainWidth(withoutInvisible(typed));
  const whole = normalized(plain);
  if (IS_CODE.test(whole)) return whole;
  const found = [...plain.matchAll(CANDIDATES)]
    .map(([, candidate = ""]) => candidate)
    .filter((candidate) => IS_CODE.test(normalized(candidate)));
  // "Code ABCD EFGH" has two candidates: emails write codes in capitals, and people type them in small letters.
  const capitals = found.filter((candidate) => candidate === candidate.toUpperCase());
  const unlabeled = found.filter((candidate) => !LABEL.test(candidate));
  const ways = [found, capitals, unlabeled].map((some) => [...new Set(some.map(normalized))]);
  return ways.find((codes) => codes.length === 1)?.[0] ?? null;
}

function normalized(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
}

/** Keyed, since 40 bits could be brute-forced from a copy of the table. */
export function hashesOfCode(code: string): [string, ...string[]] {
  return keyedHashes("code", code);
}
