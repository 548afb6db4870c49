import { and, eq, type SQL, sql } from "drizzle-orm";
import { enqueueForRows } from "#app/domain/jobs/enqueue.server.ts";
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

/** Ours until somebody gave it to another site; this event takes it off sale here. */
async function isOfferedHere({ kind, id }: EventSubject): Promise<boolean> {
  if (kind !== "product" && kind !== "price") return false;
  const table = kind === "product" ? products : prices;
  return (await db.$count(table, and(eq(table.id, id), table.active))) > 0;
}

export type NewEvent = Omit<typeof billingEvents.$inferSelect, "receivedAt" | "processedAt" | "outcome">;

/** Events about these share a queue, since each of them syncs the whole offer. */
const QUEUE = sql`CASE WHEN subject IN ('product', 'price') THEN 'offer' END`;

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

export function eventJobs(events: SQL): SQL {
  return enqueueForRows("billing-event", { eventId: sql`id` }, QUEUE, events);
}
