import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { hasAccess } from "../billing/subscriptions/current-subscription.server.ts";

interface OpenSession {
  [column: string]: unknown;
  id: string;
  isSubscribed: boolean;
}

/** The sessions that are still open, as in findSignedIn(), by id. */
export async function listOpenSessions(sessionIds: string[]): Promise<Map<string, OpenSession>> {
  const rows = await db.execute<OpenSession>(sql`
    SELECT s.id, ${hasAccess(sql`u.id`)} AS "isSubscribed"
    FROM sessions s
    JOIN users u ON u.id = s.user_id AND u.deleted_at IS NULL
    WHERE s.id IN (SELECT value::uuid FROM jsonb_array_elements_text(${JSON.stringify(sessionIds)}::jsonb))
      AND s.revoked_at IS NULL AND s.expires_at > now()
  `);
  return new Map(rows.map((row) => [row.id, row]));
}
