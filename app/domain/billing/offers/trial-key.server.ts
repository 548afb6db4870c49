import { randomBytes } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { z } from "zod";
import { decryptAny, encryptWithEach } from "#app/domain/keys/encryption.server.ts";
import { keysFor, legacyTrialKey } from "#app/domain/keys/keys.server.ts";
import { db, type Executor } from "#db/client.server.ts";
import { trials } from "#db/schema/billing.ts";
import { siteSettings } from "#db/schema/site.ts";

export const TRIAL_KEY_SETTING = "trial-key";
const KEY_BYTES = 32;
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
  const opened = decryptAny("trial-key", stored.parse(row.value).encrypted);
  return { value: row.value, key: opened?.bytes ?? null, isByFirst: opened?.isByFirst === true };
}

function encrypt(key: Buffer): z.infer<typeof stored> {
  return { encrypted: encryptWithEach("trial-key", key) };
}
