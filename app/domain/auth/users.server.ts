import { sql } from "drizzle-orm";
import { db, type Executor } from "#db/client.server.ts";

/** The id behind an address, new at the first sign-in; null when the account was closed. */
export async function findOrCreateUser(email: string, executor: Executor): Promise<string | null> {
  // The update of nothing makes the row of a rival who was faster come back as well.
  const [row] = await executor.execute<{ id: string; is_closed: boolean }>(sql`
    INSERT INTO users (email) VALUES (${email})
    ON CONFLICT (lower(email)) DO UPDATE SET email = users.email
    RETURNING id, deleted_at IS NOT NULL AS is_closed`);
  return row && !row.is_closed ? row.id : null;
}

/** Notes that the user is here, and when a new visit begins, when the one before ended. */
export async function noteVisit(userId: string): Promise<void> {
  await db.transaction(
    (tx) =>
      tx.execute(sql`UPDATE users SET
        previous_visit_at = previous_visit(last_seen_at, previous_visit_at),
        last_seen_at = now()
      WHERE id = ${userId} AND (last_seen_at IS NULL OR last_seen_at < now() - interval '1 minute')`),
    { accessMode: "read write" },
  );
}
