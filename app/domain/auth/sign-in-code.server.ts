import { randomBytes } from "node:crypto";
import { keyedHashes } from "#app/domain/keys/keys.server.ts";
import { toPlainWidth, withoutInvisible } from "#app/texts.ts";

/** Crockford's base32: no I, L, O or U, so that a code survives being read aloud or copied by hand. */
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_LENGTH = 8;

export function newCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join("");
}

/** The last eight letters and digits, when a label or a sentence stands before them. */
const LABELED = /^.*[^\p{L}\p{N}]([\p{L}\p{N}]{4}[\s\p{Pd}\u2212]*[\p{L}\p{N}]{4})[^\p{L}\p{N}]*$/su;

export function normalizeCode(typed: string): string {
  const plain = toPlainWidth(withoutInvisible(typed)).toUpperCase();
  const [, labeled = plain] = LABELED.exec(plain) ?? [];
  return labeled
    .replace(/[^\p{L}\p{N}]/gu, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
}

/** Keyed, since 40 bits could be brute-forced from a copy of the table. */
export function hashesOfCode(code: string): [string, ...string[]] {
  return keyedHashes("code", code);
}
