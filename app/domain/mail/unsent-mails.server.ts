import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

export interface UnsentMails {
  /** Not tried yet. */
  waiting: number;
  /** Tried at least once. */
  failing: number;
  /** The age of the oldest of both, 0 when there is none. */
  oldestSeconds: number;
}

/** An emptied mail is not sent any more: its account was deleted. */
export async function readUnsentMails(): Promise<UnsentMails> {
  const [row] = await db.execute<UnsentMails & Record<string, unknown>>(sql`
    SELECT count(*) FILTER (WHERE attempts = 0)::int AS waiting, count(*) FILTER (WHERE attempts > 0)::int AS failing,
      coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS "oldestSeconds"
    FROM mail_outbox WHERE sent_at IS NULL AND text <> ''`);
  return row ?? { waiting: 0, failing: 0, oldestSeconds: 0 };
}
