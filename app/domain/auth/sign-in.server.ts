import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { maskAddress } from "#app/domain/mail/address.ts";
import { writeMail } from "#app/domain/mail/outbox.server.ts";
import { signInMail } from "#app/domain/mail/sign-in-mail.tsx";
import { db, type Transaction } from "#db/client.server.ts";
import { signinTokens } from "#db/schema/auth.ts";
import { hashSecret, newCode, normalizeCode } from "./secrets.server.ts";
import { createSession, revokeSessionByToken } from "./sessions.server.ts";
import { findOrCreateUser } from "./users.server.ts";

const TOKEN_LIFETIME_MINUTES = 10;
export const MAX_TRIES = 5;

export interface Browser {
  /** sha256 of the random cookie of the browser, which binds a code to it. */
  browserHash: string;
  device: string;
  network: string | null;
}

/** Stores the request, revokes older ones for the address and leaves the mail to the queue: all or nothing. */
export async function requestSignIn(
  asked: Browser & { email: string; nonce: string; link: string; next: string },
): Promise<void> {
  const { email, nonce, link, next, browserHash, device, network } = asked;
  const code = newCode();
  const mail = await signInMail(email, { siteName: config.siteName, link, code, device });

  await db.transaction(async (tx) => {
    await tx.execute(sql`UPDATE signin_tokens SET revoked_at = now()
      WHERE lower(email) = lower(${email}) AND used_at IS NULL AND revoked_at IS NULL`);
    await tx.insert(signinTokens).values({
      email,
      tokenHash: hashSecret(nonce),
      codeHash: hashCode(code),
      browserHash,
      device,
      network,
      next,
      expiresAt: sql`now() + make_interval(mins => ${TOKEN_LIFETIME_MINUTES})`,
    });
    await enqueue("send-mail", { mailId: await writeMail(mail, tx) }, tx);
  });
}

export interface OpenRequest {
  maskedEmail: string;
  device: string;
  network: string | null;
  isSameBrowser: boolean;
  /** The id of its mail, when that was tried to be sent and has not left. */
  unsentMailId: string | null;
}

/** Looks at a link and changes nothing. Null when it is used, replaced, too old or unknown. */
export async function findOpenLink(nonce: string, browserHash: string | null): Promise<OpenRequest | null> {
  return openRequest(sql`token_hash = ${hashSecret(nonce)}`, browserHash);
}

/** What this browser asked for last and has not used yet. */
export async function findOpenRequest(browserHash: string): Promise<OpenRequest | null> {
  return openRequest(sql`browser_hash = ${browserHash}`, browserHash);
}

export type SignInResult =
  | { ok: true; token: string; next: string; userId: string }
  | { ok: false; reason: "invalid" | "tooManyTries" };

/** Uses a link up. From another browser than the one that asked, only when its owner has confirmed. */
export async function signInByLink(
  link: { nonce: string; email: string; isConfirmed: boolean },
  browser: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  return db.transaction(async (tx) => {
    const [used] = await tx.execute<{ email: string; next: string }>(sql`
      UPDATE signin_tokens SET used_at = now()
      WHERE token_hash = ${hashSecret(link.nonce)} AND lower(email) = lower(${link.email})
        AND used_at IS NULL AND revoked_at IS NULL AND expires_at > now() AND attempts < ${MAX_TRIES}
        AND (browser_hash = ${browser.browserHash} OR ${link.isConfirmed})
      RETURNING email, next`);
    return used ? startSession(tx, used, browser, oldTokenHash) : { ok: false, reason: "invalid" };
  });
}

/** Works only in the browser that asked; every wrong code counts against its request. */
export async function signInByCode(
  typed: string,
  browser: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  return db.transaction(async (tx) => {
    const [tried] = await tx.execute<{
      email: string;
      next: string;
      is_right: boolean;
      attempts: number;
    }>(sql`
      UPDATE signin_tokens SET attempts = attempts + 1,
        used_at = CASE WHEN code_hash = ${hashCode(normalizeCode(typed))} THEN now() END
      WHERE id = (
        SELECT id FROM signin_tokens
        WHERE browser_hash = ${browser.browserHash} AND used_at IS NULL AND revoked_at IS NULL AND expires_at > now()
        ORDER BY created_at DESC LIMIT 1
      ) AND used_at IS NULL AND revoked_at IS NULL AND attempts < ${MAX_TRIES}
      RETURNING email, next, used_at IS NOT NULL AS is_right, attempts`);
    if (tried?.is_right) return startSession(tx, tried, browser, oldTokenHash);
    const isOver = tried === undefined || tried.attempts >= MAX_TRIES;
    return { ok: false, reason: isOver ? "tooManyTries" : "invalid" };
  });
}

/** Expired requests are of no use to anybody. */
export async function cleanUpSignIn(): Promise<void> {
  await db.execute(sql`DELETE FROM signin_tokens WHERE expires_at < now() - interval '1 hour'`);
  await db.execute(sql`DELETE FROM sessions
    WHERE expires_at < now() - interval '1 day' OR revoked_at < now() - interval '1 day'`);
  await db.execute(sql`DELETE FROM rate_limits WHERE expire < now()`);
}

/** A new id always: one planted before the sign-in must not become valid by it. */
async function startSession(
  tx: Transaction,
  asked: { email: string; next: string },
  { device, network }: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  const userId = await findOrCreateUser(asked.email, tx);
  if (userId === null) return { ok: false, reason: "invalid" };
  if (oldTokenHash !== null) await revokeSessionByToken(oldTokenHash, tx);
  const { token } = await createSession({ userId, device, network }, tx);
  if (await hasStaleBilling(userId, tx)) await enqueue("refresh-billing", { userId }, tx);
  return { ok: true, token, next: asked.next, userId };
}

/** Whoever comes back after a while finds what they have paid for as the payment provider knows it. */
async function hasStaleBilling(userId: string, tx: Transaction): Promise<boolean> {
  const rows = await tx.execute(sql`SELECT 1 FROM customers WHERE user_id = ${userId}
    AND (reconciled_at IS NULL OR reconciled_at < now() - interval '1 day')`);
  return rows.length > 0;
}

async function openRequest(
  which: ReturnType<typeof sql>,
  browserHash: string | null,
): Promise<OpenRequest | null> {
  const [row] = await db.execute<{
    email: string;
    device: string;
    network: string | null;
    browser_hash: string;
    unsent_mail_id: string | null;
  }>(sql`SELECT email, device, network, browser_hash,
      (SELECT m.id FROM mail_outbox m WHERE m.created_at = signin_tokens.created_at
        AND m."to" = lower(signin_tokens.email) AND m.sent_at IS NULL AND m.attempts > 0 LIMIT 1) AS unsent_mail_id
    FROM signin_tokens
    WHERE ${which} AND used_at IS NULL AND revoked_at IS NULL AND expires_at > now() AND attempts < ${MAX_TRIES}
    ORDER BY created_at DESC LIMIT 1`);
  if (!row) return null;
  const { email, device, network, browser_hash } = row;
  const isSameBrowser = browser_hash === browserHash;
  return {
    maskedEmail: maskAddress(email),
    device,
    network,
    isSameBrowser,
    unsentMailId: row.unsent_mail_id,
  };
}

/** Keyed: forty bits alone could be searched through by whoever reads the table. */
function hashCode(code: string): string {
  return createHmac("sha256", config.session.secret).update(`code:${code}`).digest("hex");
}
