import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

const RECENT = sql`interval '10 minutes'`;

export interface EventLag {
  /** Received and not processed. */
  open: number;
  /** The age of the oldest open event since it was received, 0 when there is none. */
  oldestOpenSeconds: number;
  /** The longest time from receipt to effect among the events received in the last ten minutes, 0 without events. */
  recentSeconds: number;
}

export async function readEventLag(): Promise<EventLag> {
  const [row] = await db.execute<EventLag & Record<string, unknown>>(sql`
    SELECT * FROM (
      SELECT count(*)::int AS open,
        coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS "oldestOpenSeconds"
      FROM billing_events WHERE processed_at IS NULL
    ) AS open_events, (
      SELECT coalesce(extract(epoch FROM max(coalesce(processed_at, now()) - received_at)), 0)::float8 AS "recentSeconds"
      FROM billing_events WHERE received_at > now() - ${RECENT}
    ) AS recent_events`);
  return row ?? { open: 0, oldestOpenSeconds: 0, recentSeconds: 0 };
}
