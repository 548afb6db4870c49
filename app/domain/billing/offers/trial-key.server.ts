import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { keysFor, legacyTrialKey } from "#app/domain/keys/keys.server.ts";
import { db, type Executor } from "#db/client.server.ts";
import { trials } from "#db/schema/billing.ts";
import { siteSettings } from "#db/schema/site.ts";

export const TRIAL_KEY_SETTING = "trial-key";
const KEY_BYTES = 32;
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The key, encrypted with each SESSION_SECRET: a copy of the database alone must not tell who had a trial. */
const stored = z.object({ encrypted: z.array(z.string().max(4_096, { abort: true })).min(1) });
const isTrialKey = eq(siteSettings.name, TRIAL_KEY_SETTING);

/** The key that trials are hashed with, independent of SESSION_SECRET. Read-only. */
export async function findTrialKey(executor: Executor = db): Promise<Buffer> {
  const state = await readTrialKey(executor);
  // Without a stored key that a secret opens, trials are hashed as in earlier releases.
  return state.key ?? legacyTrialKey();
}

/** False when no secret opens the stored key: it stays as it is, because the right secret may come back. */
export async function keepTrialKey(): Promise<boolean> {
  const { value, key, isByFirst } = await readTrialKey(db);
  if (value !== null && key === null) return false;
  if (isByFirst && stored.parse(value).encrypted.length === keysFor("trial-key").length) return true;
  await db.transaction(async (tx) => {
    if (value === null || key === null) {
      const first = (await tx.$count(trials)) > 0 ? legacyTrialKey() : randomBytes(KEY_BYTES);
      const row = { name: TRIAL_KEY_SETTING, value: encrypt(first) };
      await tx.insert(siteSettings).values(row).onConflictDoNothing();
    } else {
      await tx
        .update(siteSettings)
        .set({ value: encrypt(key) })
        // No match when another process was faster.
        .where(and(isTrialKey, eq(siteSettings.value, value)));
    }
  });
  return true;
}

/** `isByFirst`: whether the current secret opens it, so that the older one is not needed. */
export async function readTrialKey(executor: Executor = db) {
  const [row] = await executor.select().from(siteSettings).where(isTrialKey);
  if (row === undefined) return { value: null, key: null, isByFirst: false };
  const { encrypted } = stored.parse(row.value);
  for (const [index, secretKey] of keysFor("trial-key").entries()) {
    for (const one of encrypted) {
      const key = decrypt(one, secretKey);
      if (key !== null) return { value: row.value, key, isByFirst: index === 0 };
    }
  }
  return { value: row.value, key: null, isByFirst: false };
}

function encrypt(key: Buffer): z.infer<typeof stored> {
  const encrypted = keysFor("trial-key").map((secretKey) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, secretKey, nonce);
    return Buffer.concat([nonce, cipher.update(key), cipher.final(), cipher.getAuthTag()]).toString(
      "base64url",
    );
  });
  return { encrypted };
}

function decrypt(text: string, secretKey: Buffer): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, secretKey, nonce, { authTagLength: TAG_BYTES });
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
