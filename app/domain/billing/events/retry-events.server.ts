import { sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { number, readOne, timestamp } from "#db/rows.ts";
import { eventJobs } from "./receive-event.server.ts";

const STUCK_AFTER = sql`interval '1 hour'`;
/** The nightly reconciliation has replaced the event by then. */
const GIVEN_UP_AFTER = sql`interval '3 days'`;
const MAX_RETRIED = 1_000;

/** Leaves out older events: they are never processed, and would count as late until they are deleted. */
const IS_OPEN = sql`processed_at IS NULL AND received_at > now() - ${GIVEN_UP_AFTER}`;
const IS_STUCK = sql`${IS_OPEN} AND received_at < now() - ${STUCK_AFTER}`;

export async function retryStuckEvents(): Promise<void> {
  await db.execute(sql`
    WITH stuck AS (
      SELECT id, subject FROM billing_events WHERE ${IS_STUCK} ORDER BY received_at LIMIT ${MAX_RETRIED}
    )
    SELECT ${eventJobs(sql`stuck`)}`);
}

const StuckEvents = z.object({ amount: number, since: timestamp.nullable() });

export function readStuckEvents(): Promise<z.infer<typeof StuckEvents>> {
  return readOne(db, StuckEvents)`
    SELECT count(*)::int AS amount, min(received_at) AS since FROM billing_events WHERE ${IS_STUCK}`;
}

/** The provider does not resend an event after so long. Until then, the row keeps it from being processed twice. */
export async function cleanUpEvents(): Promise<void> {
  await db.execute(sql`DELETE FROM billing_events WHERE received_at < now() - interval '90 days'`);
}

/** `recentSeconds`: the longest time from receipt to effect among the events of the last ten minutes. */
const EventLag = z.object({ open: number, oldestOpenSeconds: number, recentSeconds: number });

export function readEventLag(): Promise<z.infer<typeof EventLag>> {
  return readOne(db, EventLag)`
    SELECT * FROM (
      SELECT count(*)::int AS open,
        coalesce(extract(epoch FROM now() - min(received_at)), 0)::float8 AS "oldestOpenSeconds"
      FROM billing_events WHERE ${IS_OPEN}
    ) AS open_events, (
      SELECT coalesce(extract(epoch FROM max(coalesce(processed_at, now()) - received_at)), 0)::float8 AS "recentSeconds"
      FROM billing_events WHERE received_at > now() - interval '10 minutes'
    ) AS recent_events`;
}
