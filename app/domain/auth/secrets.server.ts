import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;
/** Crockford's base32: no I, L, O or U, so a code read aloud or copied by hand stays the same. */
const CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
export const CODE_LENGTH = 8;

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** sha256, hex: what a table keeps of a secret. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** 40 random bits, as eight letters and digits. */
export function newCode(): string {
  return Array.from(randomBytes(CODE_LENGTH), (byte) => CODE_ALPHABET[byte % CODE_ALPHABET.length]).join("");
}

/** What was typed, as newCode() wrote it: case, blanks, dashes and the look-alikes do not matter. */
export function normalizeCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, "").replace(/O/g, "0").replace(/[IL]/g, "1");
}
