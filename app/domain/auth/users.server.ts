import { and, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { db, type Executor, uuids } from "#db/client.server.ts";
import { flag, readRow, text } from "#db/rows.ts";
import { users } from "#db/schema/auth.ts";

/** How often a visit is recorded. */
export const RECORD_VISIT_SECONDS = 60;

const UserRow = z.object({ id: text, is_closed: flag });

/** Creates the user at the first sign-in. Null when the account was closed. */
export async function findOrCreateUser(email: string, executor: Executor): Promise<string | null> {
  // The no-op update also returns a row that a concurrent request inserted first.
  const row = await readRow(executor, UserRow)`
    INSERT INTO users (email) VALUES (${email})
    ON CONFLICT (lower(email)) DO UPDATE SET email = users.email
    RETURNING id, deleted_at IS NOT NULL AS is_closed`;
  return row && !row.is_closed ? row.id : null;
}

export async function hasAccount(email: string): Promise<boolean> {
  return (
    (await db.$count(users, sql`lower(${users.email}) = lower(${email}) AND ${users.deletedAt} IS NULL`)) > 0
  );
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
