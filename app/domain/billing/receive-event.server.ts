import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/billing.ts";
import { eventJob } from "./event-job.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { BadSignature, type EventSubject } from "./providers/provider.ts";

/** "known": it was told before. "ignored": nothing here depends on it. "foreign": it is about another site's. */
export type Received =
  | { what: "stored" | "known" | "ignored" | "foreign"; eventId: string; type: string }
  | { what: "badSignature" | "noProvider" };

/**
 * Keeps what the provider tells, once, and leaves what follows from it to the queue: both or nothing. `body` exactly as
 * it was sent.
 */
export async function receiveEvent(body: string, signature: string | null): Promise<Received> {
  const provider = currentProvider();
  if (provider === null) return { what: "noProvider" };
  const event = parsed(() => provider.parseEvent(body, signature));
  if (event === null) return { what: "badSignature" };
  const { id, type, subject, isForeign } = event;
  const told = { eventId: id, type };
  if (subject.kind === "none") return { what: "ignored", ...told };
  if (isForeign && !(await isOfferedHere(subject))) return { what: "foreign", ...told };
  const { customerId, createdAt } = event;
  const toldAt = createdAt.toISOString();
  // One statement, because many come at once: the row and its job are there together or not at all.
  const stored = await db.execute(sql`
    WITH stored AS (
      INSERT INTO billing_events (id, provider, type, subject, subject_id, customer_id, created_at)
      VALUES (${id}, ${provider.name}, ${type}, ${subject.kind}, ${subject.id}, ${customerId}, ${toldAt}::timestamptz)
      ON CONFLICT DO NOTHING RETURNING id
    )
    SELECT ${eventJob({ id, subject: subject.kind })} FROM stored`);
  const isNew = stored.length > 0;
  return { what: isNew ? "stored" : "known", ...told };
}

/** It was ours until it was given to another site: then it is withdrawn. */
async function isOfferedHere({ kind, id }: Exclude<EventSubject, { kind: "none" }>): Promise<boolean> {
  if (kind !== "product" && kind !== "price") return false;
  const table = kind === "product" ? products : prices;
  return (await db.$count(table, and(eq(table.id, id), table.active))) > 0;
}

function parsed<Event>(parse: () => Event): Event | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BadSignature) return null;
    throw error;
  }
}
