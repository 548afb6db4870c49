import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing.ts";
import { askAbout, type Subject } from "./ask-about.server.ts";
import { outcomeOf } from "./change.ts";
import { type Findings, writeFindings } from "./findings.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";

/**
 * Asks the provider for what an event is about, and writes it. Returns what came of it, or null when it was dealt with
 * before or nobody can be asked. Throws ProviderUnreachable, so that the job is tried again.
 */
export async function processEvent(eventId: string): Promise<string | null> {
  const provider = currentProvider();
  const [event] = await db.select().from(billingEvents).where(isOpen(eventId));
  if (!event || event.provider !== provider?.name) return null;
  const subject = { kind: event.subject as Subject["kind"], id: event.subjectId };
  return writeEvent(eventId, await askAbout(provider, subject));
}

/**
 * Writes the answer in the transaction that notes the event as dealt with: once, whatever breaks in between, and however
 * long the answer was on its way. Null when it was dealt with before.
 */
export async function writeEvent(eventId: string, findings: Findings): Promise<string | null> {
  return db.transaction(async (tx) => {
    const claimed = await tx
      .update(billingEvents)
      .set({ processedAt: sql`now()` })
      .where(isOpen(eventId))
      .returning({ id: billingEvents.id });
    if (claimed.length === 0) return null;
    const outcome = outcomeOf(await writeFindings(tx, findings));
    await tx.update(billingEvents).set({ outcome }).where(eq(billingEvents.id, eventId));
    return outcome;
  });
}

function isOpen(eventId: string) {
  return and(eq(billingEvents.id, eventId), isNull(billingEvents.processedAt));
}
