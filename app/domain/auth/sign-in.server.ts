import { sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import { claimOwnership } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { flag, number, readRow, readRows, text } from "#db/rows.ts";
import { signinTokens } from "#db/schema/auth.ts";
import { addKnownBrowser, cleanUpKnownBrowsers } from "./known-browsers.server.ts";
import { newDeviceMail } from "./new-device-mail.tsx";
import { hashSecret } from "./secrets.server.ts";
import { createSession, revokeSessionByToken } from "./sessions.server.ts";
import { hashesOfCode, newCode, readCode } from "./sign-in-code.server.ts";
import { signInMail } from "./sign-in-mail.tsx";
import { IS_OPEN, MAX_TRIES, SIGN_IN_MINUTES } from "./sign-in-requests.server.ts";
import { isStepUpPath } from "./step-up.ts";
import { findOrCreateUser, isToBeDeleted } from "./users.server.ts";

export interface Browser {
  /** sha256 of the id in the browser's cookie; a code works only in that browser. */
  browserHash: string;
  device: string;
  network: string | null;
}

/** Earlier links stay valid: emails may arrive late, and otherwise anybody could cancel a member's link by asking for one. */
export async function requestSignIn(
  request: Browser & {
    email: string;
    nonce: string;
    link: string;
    next: string;
    purpose?: string;
    isFromReserve?: boolean;
  },
): Promise<void> {
  const { email, nonce, link, next, browserHash, device, network, purpose, isFromReserve = false } = request;
  const code = newCode();
  const mail = await signInMail(email, { siteName: site.name, link, code, device, purpose });

  await db.transaction(async (tx) => {
    await tx.insert(signinTokens).values({
      email,
      tokenHash: hashSecret(nonce),
      codeHash: hashesOfCode(code)[0],
      browserHash,
      device,
      network,
      next,
      expiresAt: sql`now() + make_interval(mins => ${SIGN_IN_MINUTES})`,
      isFromReserve,
    });
    await enqueueMail(mail, tx, { isFromReserve });
  });
}

type SignInResult =
  | { ok: true; token: string; next: string; userId: string; email: string }
  | { ok: false; reason: "invalid" | "tooManyTries" };

const UsedRequest = z.object({ email: text, next: text });

/** Uses up a link. In any browser but the one that asked, it needs a confirmation and leaves the code valid. */
export async function signInByLink(
  link: { nonce: string; email: string; isConfirmed: boolean },
  browser: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  const result = await db.transaction(async (tx): Promise<SignInResult> => {
    const used = await readRow(tx, UsedRequest)`
      UPDATE signin_tokens SET link_used_at = now(), link_used_device = ${browser.device},
        used_at = CASE WHEN browser_hash = ${browser.browserHash} THEN now() END
      WHERE token_hash = ${hashSecret(link.nonce)} AND lower(email) = lower(${link.email})
        AND ${IS_OPEN} AND link_used_at IS NULL
        AND (browser_hash = ${browser.browserHash} OR ${link.isConfirmed})
      RETURNING email, next`;
    return used ? startSession(tx, used, browser, oldTokenHash) : { ok: false, reason: "invalid" };
  });
  await makeFirstOwner(result);
  return result;
}

const TriedRequest = UsedRequest.extend({ is_right: flag, attempts: number });

/** Only in the browser that asked. A wrong code counts against each of its open requests; what cannot be one costs no try. */
export async function signInByCode(
  typed: string,
  browser: Browser,
  oldTokenHash: string | null,
  { onlyFor = null }: { onlyFor?: string | null } = {},
): Promise<SignInResult> {
  const code = readCode(typed);
  if (code === null) return { ok: false, reason: "invalid" };
  const hashes = sql.join(hashesOfCode(code), sql`, `);
  const result = await db.transaction(async (tx): Promise<SignInResult> => {
    // Locked in order, so that two codes typed at once cannot deadlock.
    const tried = await readRows(tx, TriedRequest)`
      WITH open AS (
        SELECT id FROM signin_tokens WHERE browser_hash = ${browser.browserHash} AND ${IS_OPEN}
          AND lower(email) = COALESCE(lower(${onlyFor}), lower(email))
        ORDER BY id FOR UPDATE
      )
      UPDATE signin_tokens SET attempts = attempts + 1,
        used_at = CASE WHEN code_hash IN (${hashes}) THEN now() END
      WHERE id IN (SELECT id FROM open)
      RETURNING email, next, used_at IS NOT NULL AS is_right, attempts`;
    const right = tried.find(({ is_right }) => is_right);
    if (right) return startSession(tx, right, browser, oldTokenHash);
    const isOver = tried.every(({ attempts }) => attempts >= MAX_TRIES);
    return { ok: false, reason: isOver ? "tooManyTries" : "invalid" };
  });
  await makeFirstOwner(result);
  return result;
}

/** In a transaction of its own, because a sign-in and a change of roles lock users in different orders. */
async function makeFirstOwner(result: SignInResult): Promise<void> {
  if (result.ok && result.email === config.ownerEmail) await claimOwnership(result.email);
}

export async function revokeSignInLinks(email: string, executor: Executor): Promise<void> {
  await executor.execute(sql`UPDATE signin_tokens SET revoked_at = now()
    WHERE lower(email) = lower(${email}) AND used_at IS NULL AND revoked_at IS NULL`);
}

export async function cleanUpAuth(): Promise<void> {
  await db.execute(sql`DELETE FROM signin_tokens WHERE expires_at < now() - interval '1 hour'`);
  await db.execute(sql`DELETE FROM sessions
    WHERE is_counted AND (expires_at < now() - interval '1 day' OR revoked_at < now() - interval '1 day')`);
  // Web processes write `expire`, and their clocks may be minutes behind.
  await db.execute(sql`DELETE FROM rate_limits WHERE expire < now() - interval '1 hour'`);
  await cleanUpKnownBrowsers();
}

/** Always creates a new session id, to prevent session fixation. */
async function startSession(
  tx: Transaction,
  request: z.infer<typeof UsedRequest>,
  { browserHash, device, network }: Browser,
  oldTokenHash: string | null,
): Promise<SignInResult> {
  const userId = await findOrCreateUser(request.email, tx);
  if (oldTokenHash !== null) await revokeSessionByToken(oldTokenHash, tx);
  const { token } = await createSession({ userId, device, network }, tx);
  if (await addKnownBrowser(userId, browserHash, tx)) {
    const { origin } = config;
    const devicesLink = new URL(`${paths.account()}#devices`, origin).href;
    const about = { siteName: site.name, device, network, signedInAt: new Date(), devicesLink };
    await enqueueMail(await newDeviceMail(request.email, about), tx);
  }
  if (await hasStaleBilling(userId, tx)) await enqueue("refresh-billing", { userId }, tx);
  const isClosing = !isStepUpPath(request.next) && (await isToBeDeleted(userId, tx));
  return { ok: true, token, next: isClosing ? paths.account() : request.next, userId, email: request.email };
}

/** Here and not in billing, because billing may import auth and not the reverse. */
export async function hasStaleBilling(userId: string, executor: Executor = db): Promise<boolean> {
  const rows = await executor.execute(sql`SELECT 1 FROM customers WHERE user_id = ${userId}
    AND (reconciled_at IS NULL OR reconciled_at < now() - interval '1 day')`);
  return rows.length > 0;
}
