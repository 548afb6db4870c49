import { createHash, randomBytes } from "node:crypto";
import { toPlainWidth, withoutInvisible } from "#app/texts.ts";

const SECRET_BYTES = 32;
/** Crockford's base32: no I, L, O or U, so that a code survives being read aloud or copied by hand. */
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const CODE_LENGTH = 8;

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** sha256 in hex; tables store only this. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

export function newCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join("");
}

/** Ignores case, width, blanks, invisible signs, dashes and look-alike characters. */
export function normalizeCode(typed: string): string {
  const plain = toPlainWidth(withoutInvisible(typed)).toUpperCase();
  return plain
    .replace(/[\s\p{Pd}\u2212]/gu, "")
    .replace(/O/g, "0")
    .replace(/[IL]/g, "1");
}
