import { type SQL, sql } from "drizzle-orm";
import { jobsOfRows } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import type { billingEvents } from "#db/schema/billing.ts";

export type NewEvent = Omit<typeof billingEvents.$inferSelect, "receivedAt" | "processedAt" | "outcome">;

interface Waiting {
  event: NewEvent;
  resolve(isNew: boolean): void;
  reject(error: unknown): void;
}

const MAX_AT_ONCE = 100;
/** Events about these share a queue, since each of them syncs the whole offer. */
const QUEUE = sql`CASE WHEN subject IN ('product', 'price') THEN 'offer' END`;
/** Postgres error classes for invalid values and violated constraints. */
const OF_VALUES = ["22", "23"];

let waiting: Waiting[] = [];
let isWriting = false;

/** Resolves, after the commit, to whether it was new. Stored in groups: commits that wake the worker wait in line. */
export function storeEvent(event: NewEvent): Promise<boolean> {
  return new Promise((resolve, reject) => {
    waiting.push({ event, resolve, reject });
    if (!isWriting) void writeWaiting();
  });
}

async function writeWaiting(): Promise<void> {
  isWriting = true;
  while (waiting.length > 0) {
    const next = waiting.slice(0, MAX_AT_ONCE);
    waiting = waiting.slice(MAX_AT_ONCE);
    await writeTogether(next);
  }
  isWriting = false;
}

async function writeTogether(all: Waiting[]): Promise<void> {
  try {
    const isNew = await write(all.map(({ event }) => event));
    // The first of two events with the same id counts as new.
    for (const { event, resolve } of all) resolve(isNew.delete(event.id));
  } catch (error) {
    const [one, ...others] = all;
    if (others.length > 0 && isOfValues(error)) for (const each of all) await writeTogether([each]);
    else for (const { reject } of one ? [one, ...others] : []) reject(error);
  }
}

async function write(events: NewEvent[]): Promise<Set<string>> {
  const rows = await db.execute<{ id: string }>(sql`
    WITH stored AS (
      INSERT INTO billing_events (id, provider, type, subject, subject_id, customer_id, created_at)
      SELECT * FROM jsonb_to_recordset(${JSON.stringify(events)}::text::jsonb) AS sent
        (id text, provider text, type text, subject text, "subjectId" text, "customerId" text, "createdAt" timestamptz)
      ON CONFLICT DO NOTHING RETURNING id, subject
    )
    SELECT id, ${eventJobs(sql`stored`)} AS jobs FROM stored`);
  return new Set(rows.map(({ id }) => id));
}

function eventJobs(events: SQL): SQL {
  return jobsOfRows("billing-event", { eventId: sql`id` }, QUEUE, events);
}

/** An invalid event must not fail the others. */
function isOfValues(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return OF_VALUES.includes((cause?.code ?? code ?? "").slice(0, 2));
}

/** Queues unprocessed events again: the provider did not answer, or a worker was killed. */
export async function retryOpenEvents(): Promise<void> {
  await db.execute(sql`
    WITH open AS (
      SELECT id, subject FROM billing_events WHERE processed_at IS NULL
        AND received_at < now() - interval '1 hour' AND received_at > now() - interval '3 days'
      ORDER BY received_at LIMIT 1000
    )
    SELECT ${eventJobs(sql`open`)}`);
}

/** No event is sent again after months; until then its row marks it as processed. */
export async function cleanUpEvents(): Promise<void> {
  await db.execute(sql`DELETE FROM billing_events WHERE received_at < now() - interval '90 days'`);
}

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
      FROM billing_events WHERE received_at > now() - interval '10 minutes'
    ) AS recent_events`);
  return row ?? { open: 0, oldestOpenSeconds: 0, recentSeconds: 0 };
}
