import { and, eq, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { enqueueForRows } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { prices, products } from "#db/schema/prices.ts";
import {
  type CallRefusal,
  type EventReceiver,
  type EventSubject,
  type ProviderCall,
  type ProviderEvent,
  SALE_WITHOUT_EVENT,
  type Told,
} from "../providers/contract/events.ts";
import type { ToldFact } from "../providers/contract/facts.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { IS_UNKNOWN_SALE, insertFacts } from "../providers/facts/stored-facts.server.ts";
import { providerOf } from "../providers/providers.server.ts";
import { noteRefusal } from "./missed-events.server.ts";

/** "known": received before. "ignored": nothing here depends on it. "otherSite": it is about another site. "unknown": it cannot be read. */
type Outcome =
  | { what: "stored" | "known" | "ignored" | "otherSite" | "unknown"; eventId: string; type: string }
  | { what: "refused"; why: CallRefusal };
export type Received = Outcome & { answer: ReturnType<EventReceiver["answer"]> };

/** `call.body` must be exactly as sent. Null for a provider that is not set up. */
export async function receiveEvent(name: string, call: Omit<ProviderCall, "at">): Promise<Received | null> {
  const provider = providerOf(name);
  if (provider === null) return null;
  const outcome = await store(provider, { ...call, at: await readDatabaseTime() });
  if (outcome.what === "refused") noteRefusal(provider.name, outcome.why);
  // Events of other sites are accepted too: otherwise the provider would resend them for days.
  return { ...outcome, answer: provider.answer(outcome.what === "refused" ? outcome.why : "accepted") };
}

async function store(provider: BillingProvider, call: ProviderCall): Promise<Outcome> {
  const received = provider.receive(call);
  if ("refused" in received) return { what: "refused", why: received.refused };
  const { id, type, subject, isOtherSite, isUnknown } = received.event;
  const named = { eventId: id, type };
  if (isUnknown && !isOtherSite) {
    await keepUnknown(provider.name, received.event);
    return { what: "unknown", ...named };
  }
  if (subject === null) return { what: "ignored", ...named };
  if (isOtherSite && !(await isOfferedHere(subject))) return { what: "otherSite", ...named };
  return { what: (await storeTold(provider.name, received)) ? "stored" : "known", ...named };
}

/** True when it is new. */
export async function storeTold(provider: string, { event, facts }: Told): Promise<boolean> {
  const { id, type, subject, customerId, createdAt } = event;
  if (event.isUnknown || subject === null) return keepUnknown(provider, event);
  const about = { subject: subject.kind, subjectId: subject.id, customerId, createdAt };
  return storeEvent({ id, provider, type, ...about }, facts);
}

const UNKNOWN_KIND = "unknownKind";
const UNCONFIRMED = "sale that the provider does not know";

async function keepUnknown(
  provider: string,
  { id, type, subject, customerId, createdAt }: ProviderEvent,
): Promise<boolean> {
  const about = { subject: subject?.kind ?? "", subjectId: subject?.id ?? "", customerId, createdAt };
  const done = { processedAt: sql`now()`, outcome: UNKNOWN_KIND };
  const kept = await db
    .insert(billingEvents)
    .values({ id, provider, type, ...about, ...done })
    .onConflictDoNothing();
  return kept.count > 0;
}

/** The kinds of events that could not be read, and the sales that only an event, or only a list, of the provider names. */
export async function listUnknownEvents() {
  const listed = await readRows(db, z.object({ provider: text, type: text, amount: number }))`
    SELECT provider, type, count(*)::int AS amount FROM billing_events
    WHERE outcome = ${UNKNOWN_KIND} AND NOT EXISTS (
      SELECT FROM billing_facts WHERE subscription_id = subject_id AND fact ->> 'kind' = 'sale')
    GROUP BY provider, type
    UNION ALL SELECT provider, ${UNCONFIRMED}, count(*)::int FROM billing_facts
    WHERE ${IS_UNKNOWN_SALE} AND received_at > now() - interval '30 days'
    GROUP BY provider ORDER BY provider, type`;
  return listed.map((one) => ({ ...one, isUnlinked: one.type === SALE_WITHOUT_EVENT }));
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

/** The event, its job and its facts, in one commit. */
export async function storeEvent(event: NewEvent, facts: ToldFact[] = []): Promise<boolean> {
  const { id, provider, type, subject, subjectId, customerId, createdAt } = event;
  const stored = await db.execute(sql`
    WITH ${facts.length === 0 ? sql`` : sql`told AS (${insertFacts(provider, facts)}), `}stored AS (
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
