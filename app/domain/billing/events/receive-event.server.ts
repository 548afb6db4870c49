import { and, eq, type SQL, sql } from "drizzle-orm";
import { jobsOfRows } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { type billingEvents, prices, products } from "#db/schema/billing.ts";
import type { EventSubject } from "../providers/contract/provider.ts";
import { currentProvider } from "../providers/current-provider.server.ts";

/** "known": received before. "ignored": nothing here depends on it. "otherSite": it is about another site. */
export type Received =
  | { what: "stored" | "known" | "ignored" | "otherSite"; eventId: string; type: string }
  | { what: "badSignature" | "noProvider" };

/** `body` must be exactly as sent. */
export async function receiveEvent(body: string, headers: Headers): Promise<Received> {
  const provider = currentProvider();
  if (provider === null) return { what: "noProvider" };
  // A web process whose clock is minutes off would refuse every event as too old.
  const receivedAt = await readDatabaseTime();
  const event = provider.parseEvent(body, headers, receivedAt);
  if (event === null) return { what: "badSignature" };
  const { id, type, subject, isOtherSite } = event;
  const named = { eventId: id, type };
  if (subject === null) return { what: "ignored", ...named };
  if (isOtherSite && !(await isOfferedHere(subject))) return { what: "otherSite", ...named };
  const { customerId, createdAt } = event;
  const isNew = await storeEvent({
    id,
    provider: provider.name,
    type,
    subject: subject.kind,
    subjectId: subject.id,
    customerId,
    createdAt,
  });
  return { what: isNew ? "stored" : "known", ...named };
}

/** The product or price was ours until somebody gave it to another site; this event takes it off sale here. */
async function isOfferedHere({ kind, id }: EventSubject): Promise<boolean> {
  if (kind !== "product" && kind !== "price") return false;
  const table = kind === "product" ? products : prices;
  return (await db.$count(table, and(eq(table.id, id), table.active))) > 0;
}

export type NewEvent = Omit<typeof billingEvents.$inferSelect, "receivedAt" | "processedAt" | "outcome">;

/** Events about these share a queue, since each of them syncs the whole offer. */
const QUEUE = sql`CASE WHEN subject IN ('product', 'price') THEN 'offer' END`;

/** True when the event is new. Resolves after the commit. */
export async function storeEvent(event: NewEvent): Promise<boolean> {
  const { id, provider, type, subject, subjectId, customerId, createdAt } = event;
  const stored = await db.execute(sql`
    WITH stored AS (
      INSERT INTO billing_events (id, provider, type, subject, subject_id, customer_id, created_at)
      VALUES (${id}, ${provider}, ${type}, ${subject}, ${subjectId}, ${customerId}, ${createdAt.toISOString()})
      ON CONFLICT DO NOTHING RETURNING id, subject
    )
    SELECT ${eventJobs(sql`stored`)} FROM stored`);
  return stored.length > 0;
}

function eventJobs(events: SQL): SQL {
  return jobsOfRows("billing-event", { eventId: sql`id` }, QUEUE, events);
}

/** After three days the nightly comparison with the provider has made up for an event. */
const IS_STUCK = sql`processed_at IS NULL
  AND received_at < now() - interval '1 hour' AND received_at > now() - interval '3 days'`;

/** Queues unprocessed events again: the provider did not answer, or a worker was killed. */
export async function retryOpenEvents(): Promise<void> {
  await db.execute(sql`
    WITH open AS (
      SELECT id, subject FROM billing_events WHERE ${IS_STUCK}
      ORDER BY received_at LIMIT 1000
    )
    SELECT ${eventJobs(sql`open`)}`);
}

/** Events that have had no effect for an hour, and since when the oldest waits. */
export async function readStuckEvents(): Promise<{ amount: number; since: Date | null }> {
  const [row] = await db.execute<{ amount: number; ms: number | null }>(sql`
    SELECT count(*)::int AS amount, extract(epoch FROM min(received_at))::float8 * 1000 AS ms
    FROM billing_events WHERE ${IS_STUCK}`);
  return { amount: row?.amount ?? 0, since: row?.ms ? new Date(row.ms) : null };
}

/** No event is sent again after months; until then its row marks it as processed. */
export async function cleanUpEvents(): Promise<void> {
  await db.execute(sql`DELETE FROM billing_events WHERE received_at < now() - interval '90 days'`);
}

interface EventLag {
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
