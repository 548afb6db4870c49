import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { keyedHashes } from "#app/domain/keys/keys.server.ts";
import { maskAddress } from "#app/domain/mail/address.ts";
import { idOfUnsentMail, writeMail } from "#app/domain/mail/outbox.server.ts";
import { shownAddress } from "#app/domain/mail/parse-address.server.ts";
import { paths } from "#app/paths.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { signinTokens } from "#db/schema/auth.ts";
import { addKnownBrowser, cleanUpKnownBrowsers } from "./known-browsers.server.ts";
import { newDeviceMail } from "./new-device-mail.tsx";
import { hashSecret, newCode, normalizeCode } from "./secrets.server.ts";
import { createSession, revokeSessionByToken } from "./sessions.server.ts";
import { MAX_TRIES, SIGN_IN_MINUTES } from "./sign-in-lifetime.ts";
import { signInMail } from "./sign-in-mail.tsx";
import { isStepUpPath } from "./step-up.ts";
import { findOrCreateUser, isToBeDeleted } from "./users.server.ts";

export interface Browser {
  /** sha256 of the id in the browser's cookie; a code works only in that browser. */
  browserHash: string;
  device: string;
  network: string | null;
}

/** Requests from other browsers stay valid: otherwise anybody could revoke a member's. */
export async function requestSignIn(
  request: Browser & { email: string; nonce: string; link: string; next: string; purpose?: string },
): Promise<void> {
  const { email, nonce, link, next, browserHash, device, network, purpose } = request;
  const code = newCode();
  const mail = await signInMail(email, { siteName: config.siteName, link, code, device, purpose });

  await db.transaction(async (tx) => {
    await tx.execute(sql`UPDATE signin_tokens SET revoked_at = now()
      WHERE lower(email) = lower(${email}) AND browser_hash = ${browserHash} AND used_at IS NULL AND revoked_at IS NULL`);
    await tx.insert(signinTokens).values({
      email,
      tokenHash: hashSecret(nonce),
      codeHash: hashesOfCode(code)[0],
      browserHash,
      device,
      network,
      next,
      expiresAt: sql`now() + make_interval(mins => ${SIGN_IN_MINUTES})`,
    });
    await enqueue("send-mail", { mailId: await writeMail(mail, tx) }, tx);
  });
}

export interface OpenRequest {
  maskedEmail: string;
  device: string;
  network: string | null;
  isSameBrowser: boolean;
  /** The mail's id while sending it keeps failing, else null. */
  unsentMailId: string | null;
}

/** Read-only. Null when the link is used, replaced, expired or unknown. */
export async function findOpenLink(nonce: string, browserHash: string | null): Promise<OpenRequest | null> {
  return openRequest(sql`token_hash = ${hashSecret(nonce)}`, browserHash);
}

export async function findOpenRequest(browserHash: string): Promise<OpenRequest | null> {
  return openRequest(sql`browser_hash = ${browserHash}`, browserHash);
}

export type SignInResult =
  | { ok: true; token: string; next: string; userId: string }
  | { ok: false; reason: "invalid" | "tooManyTries" };

/** Consumes a link. Any browser but the requesting one needs the owner's confirmation. */
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

/** Works only in the requesting browser. Every wrong code counts against the request. */
export async function signInByCode(
  typed: string,
  browser: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  const hashes = sql.join(hashesOfCode(normalizeCode(typed)), sql`, `);
  return db.transaction(async (tx) => {
    const [tried] = await tx.execute<{
      email: string;
      next: string;
      is_right: boolean;
      attempts: number;
    }>(sql`
      UPDATE signin_tokens SET attempts = attempts + 1,
        used_at = CASE WHEN code_hash IN (${hashes}) THEN now() END
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

export async function revokeSignInLinks(email: string, executor: Executor): Promise<void> {
  await executor.execute(sql`UPDATE signin_tokens SET revoked_at = now()
    WHERE lower(email) = lower(${email}) AND used_at IS NULL AND revoked_at IS NULL`);
}

export async function cleanUpSignIn(): Promise<void> {
  await db.execute(sql`DELETE FROM signin_tokens WHERE expires_at < now() - interval '1 hour'`);
  await db.execute(sql`DELETE FROM sessions
    WHERE expires_at < now() - interval '1 day' OR revoked_at < now() - interval '1 day'`);
  // Web processes write `expire`, and their clocks may be minutes behind.
  await db.execute(sql`DELETE FROM rate_limits WHERE expire < now() - interval '1 hour'`);
  await cleanUpKnownBrowsers();
}

/** Always creates a new session id, to prevent session fixation. */
async function startSession(
  tx: Transaction,
  request: { email: string; next: string },
  { browserHash, device, network }: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  const userId = await findOrCreateUser(request.email, tx);
  if (userId === null) return { ok: false, reason: "invalid" };
  if (oldTokenHash !== null) await revokeSessionByToken(oldTokenHash, tx);
  const { token } = await createSession({ userId, device, network }, tx);
  if (await addKnownBrowser(userId, browserHash, tx)) {
    const { siteName, origin } = config;
    const devicesLink = new URL(`${paths.account()}#devices`, origin).href;
    const about = { siteName, device, network, signedInAt: new Date(), devicesLink };
    await enqueue(
      "send-mail",
      { mailId: await writeMail(await newDeviceMail(request.email, about), tx) },
      tx,
    );
  }
  if (await hasStaleBilling(userId, tx)) await enqueue("refresh-billing", { userId }, tx);
  const isClosing = !isStepUpPath(request.next) && (await isToBeDeleted(userId, tx));
  return { ok: true, token, next: isClosing ? paths.account() : request.next, userId };
}

/** At sign-in, billing rows are synced again when the last sync is more than a day old. */
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
      ${idOfUnsentMail({ to: sql`signin_tokens.email`, createdAt: sql`signin_tokens.created_at` })} AS unsent_mail_id
    FROM signin_tokens
    WHERE ${which} AND used_at IS NULL AND revoked_at IS NULL AND expires_at > now() AND attempts < ${MAX_TRIES}
    ORDER BY created_at DESC LIMIT 1`);
  if (!row) return null;
  const { email, device, network, browser_hash } = row;
  const isSameBrowser = browser_hash === browserHash;
  return {
    maskedEmail: maskAddress(shownAddress(email)),
    device,
    network,
    isSameBrowser,
    unsentMailId: row.unsent_mail_id,
  };
}

/** Keyed, since 40 bits could be brute-forced from a copy of the table. */
function hashesOfCode(code: string): [string, ...string[]] {
  return keyedHashes("code", code);
}
