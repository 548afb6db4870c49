import { and, eq, isNull, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing.ts";
import { askAbout, type Subject } from "./ask-about.server.ts";
import { outcomeOf } from "./change.ts";
import { writeFindings } from "./findings.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";

/**
 * Asks the provider for what an event is about, and writes it in the transaction that notes the event as dealt with:
 * once, whatever breaks in between. Returns what came of it, or null when it was dealt with before or nobody can be
 * asked. Throws ProviderUnreachable, so that the job is tried again.
 */
export async function processEvent(eventId: string): Promise<string | null> {
  const provider = currentProvider();
  const isOpen = and(eq(billingEvents.id, eventId), isNull(billingEvents.processedAt));
  const [event] = await db.select().from(billingEvents).where(isOpen);
  if (!event || event.provider !== provider?.name) return null;
  const findings = await askAbout(provider, {
    kind: event.subject as Subject["kind"],
    id: event.subjectId,
  });
  return db.transaction(async (tx) => {
    const claimed = await tx
      .update(billingEvents)
      .set({ processedAt: sql`now()` })
      .where(isOpen)
      .returning({ id: billingEvents.id });
    if (claimed.length === 0) return null;
    const outcome = outcomeOf(await writeFindings(tx, findings));
    await tx.update(billingEvents).set({ outcome }).where(eq(billingEvents.id, eventId));
    return outcome;
  });
}
