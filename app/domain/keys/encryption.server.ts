import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { keysFor, type Purpose } from "./keys.server.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Base64url, one per key, so that each SESSION_SECRET opens one of them. */
export function encryptWithEach(purpose: Purpose, bytes: Buffer): string[] {
  return keysFor(purpose).map((key) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const parts = [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString("base64url");
  });
}

/** Null when no key opens any of them. `isByFirst`: whether the current secret does. */
export function decryptAny(
  purpose: Purpose,
  encrypted: string[],
): { bytes: Buffer; isByFirst: boolean } | null {
  for (const [index, key] of keysFor(purpose).entries()) {
    for (const one of encrypted) {
      const bytes = decrypt(one, key);
      if (bytes !== null) return { bytes, isByFirst: index === 0 };
    }
  }
  return null;
}

function decrypt(text: string, key: Buffer): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
