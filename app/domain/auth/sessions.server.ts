import { and, eq, isNull, sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";
import { sessions } from "#db/schema/auth.ts";
import { hashSecret, newSecret } from "./secrets.server.ts";

/** From the specification, counted from the last renewal. */
export const SESSION_LIFETIME_SECONDS = 28_800;
/** Counted from the sign-in. */
export const SESSION_CAP_DAYS = 30;
export const RENEW_AFTER_SECONDS = 600;

export const IS_OPEN_SESSION = sql`${sessions.revokedAt} IS NULL AND ${sessions.expiresAt} > now()`;

const NEXT_EXPIRY = sql`least(now() + make_interval(secs => ${SESSION_LIFETIME_SECONDS}),
  ${sessions.signedInAt} + make_interval(days => ${SESSION_CAP_DAYS}))`;

export async function createSession(
  owner: { userId: string; device: string; network: string | null },
  executor: Executor = db,
): Promise<{ sessionId: string; token: string }> {
  const token = newSecret();
  const [row] = await executor
    .insert(sessions)
    .values({
      ...owner,
      tokenHash: hashSecret(token),
      expiresAt: sql`now() + make_interval(secs => ${SESSION_LIFETIME_SECONDS})`,
    })
    .returning({ sessionId: sessions.id });
  if (!row) throw new Error("The session was not stored");
  return { sessionId: row.sessionId, token };
}

/** Returns the seconds left; null when the session is over or was renewed less than `afterSeconds` ago. */
export async function renewSession(
  sessionId: string,
  { afterSeconds = 0 }: { afterSeconds?: number } = {},
): Promise<number | null> {
  const [row] = await db
    .update(sessions)
    .set({ renewedAt: sql`now()`, expiresAt: NEXT_EXPIRY })
    .where(
      sql`${sessions.id} = ${sessionId} AND ${IS_OPEN_SESSION}
        AND ${sessions.renewedAt} <= now() - make_interval(secs => ${afterSeconds})`,
    )
    .returning({ expiresIn: sql<number>`extract(epoch FROM ${sessions.expiresAt} - now())::float8` });
  return row?.expiresIn ?? null;
}

export async function revokeSessionByToken(tokenHash: string, executor: Executor = db): Promise<void> {
  await executor
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.tokenHash, tokenHash), isNull(sessions.revokedAt)));
}

export async function revokeSessionOf(userId: string, sessionId: string): Promise<boolean> {
  const rows = await db
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.id, sessionId), eq(sessions.userId, userId), isNull(sessions.revokedAt)))
    .returning({ id: sessions.id });
  return rows.length > 0;
}

export async function revokeAllSessions(userId: string, executor: Executor = db): Promise<void> {
  await executor
    .update(sessions)
    .set({ revokedAt: sql`now()` })
    .where(and(eq(sessions.userId, userId), isNull(sessions.revokedAt)));
}
