import { type SQL, sql } from "drizzle-orm";
import { enqueue, jobsOfRows } from "#app/domain/jobs/enqueue.server.ts";

interface StoredEvent {
  id: string;
  subject: string;
}

/** What is for sale is read and written whole: one after the other, or most of them would do it for nothing. */
const OF_THE_OFFER = ["product", "price"];
const QUEUE = "offer";

/** For the statement that stores events, of which `stored` has the columns `id` and `subject`. */
export function jobPerEvent(stored: SQL): SQL {
  const queue = sql`CASE WHEN subject IN (${sql.join(
    OF_THE_OFFER.map((kind) => sql`${kind}`),
    sql`, `,
  )}) THEN ${QUEUE} END`;
  return jobsOfRows("billing-event", { eventId: sql`id` }, queue, stored);
}

export async function enqueueEvent({ id, subject }: StoredEvent): Promise<void> {
  const queue = OF_THE_OFFER.includes(subject) ? QUEUE : null;
  await enqueue("billing-event", { eventId: id }, undefined, { queue });
}
