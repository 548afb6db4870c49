import { and, eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { prices, products } from "#db/schema/billing.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { BadSignature, type EventSubject } from "./providers/provider.ts";
import { storeEvent } from "./store-event.server.ts";

/** "known": it was told before. "ignored": nothing here depends on it. "foreign": it is about another site's. */
export type Received =
  | { what: "stored" | "known" | "ignored" | "foreign"; eventId: string; type: string }
  | { what: "badSignature" | "noProvider" };

/**
 * Keeps what the provider tells, once, and leaves what follows from it to the queue: both or nothing. `body` exactly as
 * it was sent, with the headers that came with it.
 */
export async function receiveEvent(body: string, headers: Headers): Promise<Received> {
  const provider = currentProvider();
  if (provider === null) return { what: "noProvider" };
  const event = parsed(() => provider.parseEvent(body, headers));
  if (event === null) return { what: "badSignature" };
  const { id, type, subject, isForeign } = event;
  const told = { eventId: id, type };
  if (subject.kind === "none") return { what: "ignored", ...told };
  if (isForeign && !(await isOfferedHere(subject))) return { what: "foreign", ...told };
  const isNew = await storeEvent({
    id,
    provider: provider.name,
    type,
    subject: subject.kind,
    subject_id: subject.id,
    customer_id: event.customerId,
    created_at: event.createdAt,
  });
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
