import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { eventJobs } from "./receive-event.server.ts";

const STUCK_AFTER = sql`interval '1 hour'`;
/** The nightly reconciliation has replaced the event by then. */
const GIVEN_UP_AFTER = sql`interval '3 days'`;
const MAX_RETRIED = 1_000;

/** An older event is never processed, and would count as late until it is deleted. */
const IS_OPEN = sql`processed_at IS NULL AND received_at > now() - ${GIVEN_UP_AFTER}`;
const IS_STUCK = sql`${IS_OPEN} AND received_at < now() - ${STUCK_AFTER}`;

export async function retryStuckEvents(): Promise<void> {
  await db.execute(sql`
    WITH stuck AS (
      SELECT id, subject FROM billing_events WHERE ${IS_STUCK} ORDER BY received_at LIMIT ${MAX_RETRIED}
    )
    SELECT ${eventJobs(sql`stuck`)}`);
}

export async function readStuckEvents(): Promise<{ amount: number; since: Date | null }> {
  const [row] = await db.execute<{ amount: number; ms: number | null }>(sql`
    SELECT count(*)::int AS amount, extract(epoch FROM min(received_at))::float8 * 1000 AS ms
    FROM billing_events WHERE ${IS_STUCK}`);
  return { amount: row?.amount ?? 0, since: row?.ms ? new Date(row.ms) : null };
}

/** The provider resends no event after months; until then, its row keeps it from being processed twice. */
export async function cleanUpEvents(): Promise<void> {
  await db.execute(sql`DELETE FROM billing_events WHERE received_at < now() - interval '90 days'`);
}

interface EventLag {
  open: number;
  oldestOpenSeconds: number;
  /** The longest time from receipt to effect among the events of the last ten minutes. */
  recentSeconds: number;
}

export async function readEventLag(): Promise<EventLag> {
  const [row] = await db.execute<EventLag & Record<string, unknown>>(sql`
    SELECT * FROM (
      SELECT count(*)::int AS open,
        coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS "oldestOpenSeconds"
      FROM billing_events WHERE ${IS_OPEN}
    ) AS open_events, (
      SELECT coalesce(extract(epoch FROM max(coalesce(processed_at, now()) - received_at)), 0)::float8 AS "recentSeconds"
      FROM billing_events WHERE received_at > now() - interval '10 minutes'
    ) AS recent_events`);
  return row ?? { open: 0, oldestOpenSeconds: 0, recentSeconds: 0 };
}
