import { createHash, randomBytes } from "node:crypto";

const SECRET_BYTES = 32;

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** sha256 in hex; tables store only this. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
