import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing.ts";
import { enqueueEvent } from "./event-job.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import { BadSignature } from "./providers/provider.ts";

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
  if (isForeign) return { what: "foreign", ...told };
  const isNew = await db.transaction(async (tx) => {
    const { customerId, createdAt } = event;
    const [stored] = await tx
      .insert(billingEvents)
      .values({
        id,
        provider: provider.name,
        type,
        subject: subject.kind,
        subjectId: subject.id,
        customerId,
        createdAt,
      })
      .onConflictDoNothing()
      .returning({ id: billingEvents.id });
    if (stored) await enqueueEvent({ id, subject: subject.kind }, tx);
    return stored !== undefined;
  });
  return { what: isNew ? "stored" : "known", ...told };
}

function parsed<Event>(parse: () => Event): Event | null {
  try {
    return parse();
  } catch (error) {
    if (error instanceof BadSignature) return null;
    throw error;
  }
}
