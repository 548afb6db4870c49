import type { SQL } from "drizzle-orm";
import { addJob, enqueue } from "#app/domain/jobs/enqueue.server.ts";

interface StoredEvent {
  id: string;
  subject: string;
}

/** What is for sale is read and written whole, without a note of when: so one after the other. */
const OF_THE_OFFER = ["product", "price"];

/** For the statement that stores the event. */
export function eventJob({ id, subject }: StoredEvent): SQL {
  return addJob("billing-event", { eventId: id }, queueOf(subject));
}

export async function enqueueEvent({ id, subject }: StoredEvent): Promise<void> {
  await enqueue("billing-event", { eventId: id }, undefined, queueOf(subject));
}

function queueOf(subject: string): string | null {
  return OF_THE_OFFER.includes(subject) ? "offer" : null;
}
