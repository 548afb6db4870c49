import { and, eq, isNotNull, sql } from "drizzle-orm";
import { db, type Executor, uuids } from "#db/client.server.ts";
import { readOne, text } from "#db/rows.ts";
import { users } from "#db/schema/auth.ts";

/** How often a visit is recorded. */
export const RECORD_VISIT_SECONDS = 60;

/** Creates the user at the first sign-in. */
export function findOrCreateUser(email: string, executor: Executor): Promise<string> {
  // The no-op update also returns a row that a concurrent request inserted first.
  return readOne(executor, text)`
    INSERT INTO users (email) VALUES (${email})
    ON CONFLICT (lower(email)) DO UPDATE SET email = users.email
    RETURNING id`;
}

export async function hasAccount(email: string): Promise<boolean> {
  return (await db.$count(users, sql`lower(${users.email}) = lower(${email})`)) > 0;
}

export async function isToBeDeleted(userId: string, executor: Executor): Promise<boolean> {
  const isMarked = and(eq(users.id, userId), isNotNull(users.deletionRequestedAt));
  return (await executor.$count(users, isMarked)) > 0;
}

export async function recordVisits(userIds: string[]): Promise<void> {
  // Locked in order, so that two web processes that record the same people cannot deadlock.
  await db.execute(sql`
    UPDATE users SET previous_visit_at = previous_visit(last_seen_at, previous_visit_at), last_seen_at = now()
    WHERE id IN (SELECT id FROM users WHERE id = ANY(${uuids(userIds)})
      AND (last_seen_at IS NULL OR last_seen_at < now() - make_interval(secs => ${RECORD_VISIT_SECONDS}))
      ORDER BY id FOR NO KEY UPDATE)`);
}
