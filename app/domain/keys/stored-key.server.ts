import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { db, type Executor } from "#db/client.server.ts";
import { siteSettings } from "#db/schema/site.ts";
import { keysFor, type Purpose } from "./keys.server.ts";

const KEY_BYTES = 32;
/** Encrypted with each SESSION_SECRET, so that a copy of the database alone does not open it. */
const stored = z.object({ encrypted: z.array(z.string().max(4_096, { abort: true })).min(1) });
const isNamed = (purpose: Purpose) => eq(siteSettings.name, purpose);

/** Independent of SESSION_SECRET. `key` is null when none is stored or no secret opens it. `isByFirst`: the current one does. */
export async function readStoredKey(purpose: Purpose, executor: Executor = db) {
  const [row] = await executor.select().from(siteSettings).where(isNamed(purpose));
  if (row === undefined) return { value: null, key: null, isByFirst: false };
  const opened = decryptAny(purpose, stored.parse(row.value).encrypted);
  return { value: row.value, key: opened?.bytes ?? null, isByFirst: opened?.isByFirst === true };
}

/** False when no secret opens the stored key: it stays, because the right secret may come back. */
export async function keepStoredKey(purpose: Purpose): Promise<boolean> {
  const { value, key, isByFirst } = await readStoredKey(purpose);
  if (value !== null && key === null) return false;
  if (isByFirst && stored.parse(value).encrypted.length === keysFor(purpose).length) return true;
  const encrypted = encryptWithEach(purpose, key ?? randomBytes(KEY_BYTES));
  const row = { name: purpose, value: { encrypted } };
  if (value === null) {
    await db.insert(siteSettings).values(row).onConflictDoNothing();
  } else {
    // No match when another process was faster.
    const isUnchanged = eq(siteSettings.value, value);
    await db
      .update(siteSettings)
      .set(row)
      .where(and(isNamed(purpose), isUnchanged));
  }
  return true;
}

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function encryptWithEach(purpose: Purpose, bytes: Buffer): string[] {
  return keysFor(purpose).map((key) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce);
    const parts = [nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()];
    return Buffer.concat(parts).toString("base64url");
  });
}

function decryptAny(purpose: Purpose, encrypted: string[]): { bytes: Buffer; isByFirst: boolean } | null {
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
