import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { findSignedIn } from "#app/domain/viewer/find-viewer.server.ts";
import { db } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { createMember } from "#tests/support/people.ts";
import { findProfile } from "./profile.server.ts";
import { hashSecret } from "./secrets.server.ts";
import {
  createSession,
  RENEW_AFTER_SECONDS,
  renewSession,
  revokeAllSessions,
  revokeSessionByToken,
  revokeSessionOf,
} from "./sessions.server.ts";

const WHERE = { device: "Firefox on Linux", network: null };

test("the table never holds the cookie's token", async () => {
  const { sessionId, token } = await signIn();
  const [row] = await db.select().from(sessions).where(eq(sessions.id, sessionId));
  expect(Buffer.from(token, "base64url")).toHaveLength(32);
  expect(JSON.stringify(row)).not.toContain(token);
});

test("a session lasts 28,799 idle seconds and not 28,801", async () => {
  const live = await signIn();
  await shift(live.sessionId, 28_799);
  expect(await findSignedIn(hashSecret(live.token))).not.toBeNull();

  const idle = await signIn();
  await shift(idle.sessionId, 28_801);
  expect(await findSignedIn(hashSecret(idle.token))).toBeNull();
  expect(await renewSession(idle.sessionId)).toBeNull();
});

test("using a session renews it at most every ten minutes", async () => {
  const { sessionId } = await signIn();
  expect(await renewSession(sessionId, { afterSeconds: RENEW_AFTER_SECONDS })).toBeNull();
  await shift(sessionId, 601);
  expect(await renewSession(sessionId, { afterSeconds: RENEW_AFTER_SECONDS })).toBeCloseTo(28_800, 0);
});

test("however active, a session ends thirty days after the sign-in", async () => {
  const { sessionId, token } = await signIn();
  await db
    .update(sessions)
    .set({ signedInAt: sql`now() - interval '29 days 23 hours'` })
    .where(eq(sessions.id, sessionId));
  expect(await renewSession(sessionId)).toBeCloseTo(3600, 0);
  await shift(sessionId, 3601);
  expect(await renewSession(sessionId)).toBeNull();
  expect(await findSignedIn(hashSecret(token))).toBeNull();
});

test("a revoked session is over at once and cannot be renewed", async () => {
  const { sessionId, token } = await signIn();
  await revokeSessionByToken(hashSecret(token));
  expect(await findSignedIn(hashSecret(token))).toBeNull();
  expect(await renewSession(sessionId)).toBeNull();
});

test("signing out everywhere ends all twenty sessions of one person and nobody else's", async () => {
  const member = await createMember();
  const mine = await Promise.all(
    Array.from({ length: 20 }, () => createSession({ userId: member.id, ...WHERE })),
  );
  const other = await signIn();
  await revokeAllSessions(member.id);
  const left = await Promise.all(mine.map(({ token }) => findSignedIn(hashSecret(token))));
  expect(left.filter((one) => one !== null)).toHaveLength(0);
  expect((await findProfile(member.id))?.devices).toEqual([]);
  expect(await findSignedIn(hashSecret(other.token))).not.toBeNull();
});

test("nobody can revoke somebody else's session", async () => {
  const victim = await signIn();
  const stranger = await createMember();
  expect(await revokeSessionOf(stranger.id, victim.sessionId)).toBe(false);
  expect(await findSignedIn(hashSecret(victim.token))).not.toBeNull();
});

async function signIn() {
  const member = await createMember();
  return createSession({ userId: member.id, ...WHERE });
}

async function shift(sessionId: string, seconds: number): Promise<void> {
  const back = sql`make_interval(secs => ${seconds})`;
  await db
    .update(sessions)
    .set({ renewedAt: sql`${sessions.renewedAt} - ${back}`, expiresAt: sql`${sessions.expiresAt} - ${back}` })
    .where(eq(sessions.id, sessionId));
}
