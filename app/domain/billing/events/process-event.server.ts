import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import type { EventSubject } from "../providers/contract/events.ts";
import { providerOf } from "../providers/providers.server.ts";
import { type EventOutcome, outcomeOf } from "../rules/sync-outcome.ts";
import { fetchAndEnforce } from "../sync/enforce-rules.server.ts";
import { fetchForEvent } from "../sync/fetch-for-event.server.ts";
import type { ProviderSnapshot } from "../sync/snapshot.server.ts";
import { writeSnapshot } from "../sync/write-snapshot.server.ts";

/** Throws ProviderUnreachable, so that the job is retried. */
export async function processEvent(eventId: string): Promise<EventOutcome | null> {
  const [event] = await db.select().from(billingEvents).where(isOpen(eventId));
  const provider = event ? providerOf(event.provider) : null;
  if (!event || provider === null) return null;
  const subject = { kind: event.subject as EventSubject["kind"], id: event.subjectId };
  const snapshot = await fetchAndEnforce(provider, () => fetchForEvent(provider, subject));
  return writeOnce(eventId, snapshot);
}

/** One transaction claims the event and writes, so that it takes effect once. */
export async function writeOnce(eventId: string, snapshot: ProviderSnapshot): Promise<EventOutcome | null> {
  return db.transaction(async (tx) => {
    const claimed = await tx.update(billingEvents).set({ processedAt: sql`now()` }).where(isOpen(eventId));
    if (claimed.count === 0) return null;
    const outcome = outcomeOf(await writeSnapshot(tx, snapshot));
    await tx.update(billingEvents).set({ outcome }).where(eq(billingEvents.id, eventId));
    return outcome;
  });
}

function isOpen(eventId: string) {
  return and(eq(billingEvents.id, eventId), isNull(billingEvents.processedAt));
}
