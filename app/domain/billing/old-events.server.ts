import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { enqueueEvent } from "./event-job.server.ts";

/** Queues anew what the provider told and nobody could deal with: it did not answer, or a worker was killed over it. */
export async function retryOpenEvents(): Promise<void> {
  const events = await db.execute<{ id: string; subject: string }>(sql`SELECT id, subject FROM billing_events
    WHERE processed_at IS NULL AND received_at < now() - interval '1 hour' AND received_at > now() - interval '3 days'
    ORDER BY received_at LIMIT 1000`);
  for (const event of events) await enqueueEvent(event);
}

/** Nobody sends an event again after months; until then its row says that it was dealt with. */
export async function cleanUpEvents(): Promise<void> {
  await db.execute(sql`DELETE FROM billing_events WHERE received_at < now() - interval '90 days'`);
}
