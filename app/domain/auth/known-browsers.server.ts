import { sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { flag, readOne } from "#db/rows.ts";

/** The age gate's cookie lasts this long. The number is here because scripts read it, too. */
export const AGE_PROOF_DAYS = 30;
/** The browser's cookie lasts as long. */
export const KNOWN_BROWSER_DAYS = 365;
const MAX_BROWSERS = 20;
const NO_ONE = "00000000-0000-0000-0000-000000000000";

/** Whether this address has signed in from this browser. An unknown address costs the same query. */
export async function isKnownBrowser(email: string, browserHash: string): Promise<boolean> {
  return readOne(db, flag)`SELECT EXISTS (
    SELECT FROM known_browsers WHERE browser_hash = ${browserHash}
      AND user_id = coalesce((SELECT id FROM users WHERE lower(email) = lower(${email})), ${NO_ONE}::uuid)
  )`;
}

/** Returns whether the browser is new and not the account's first. */
export async function addKnownBrowser(
  userId: string,
  browserHash: string,
  tx: Transaction,
): Promise<boolean> {
  // The SELECT sees the rows as they were before the INSERT.
  const isNew = await readOne(tx, flag)`
    WITH recorded AS (
      INSERT INTO known_browsers (user_id, browser_hash) VALUES (${userId}, ${browserHash})
      ON CONFLICT (user_id, browser_hash) DO UPDATE SET last_sign_in_at = now()
    )
    SELECT count(*) > 0 AND count(*) FILTER (WHERE browser_hash = ${browserHash}) = 0
    FROM known_browsers WHERE user_id = ${userId}`;
  await tx.execute(sql`
    DELETE FROM known_browsers WHERE user_id = ${userId} AND browser_hash IN (
      SELECT browser_hash FROM known_browsers WHERE user_id = ${userId}
      ORDER BY last_sign_in_at DESC OFFSET ${MAX_BROWSERS})`);
  return isNew;
}

export async function cleanUpKnownBrowsers(): Promise<void> {
  await db.execute(sql`DELETE FROM known_browsers
    WHERE last_sign_in_at < now() - make_interval(days => ${KNOWN_BROWSER_DAYS})`);
}
