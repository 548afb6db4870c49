import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import type { Executor } from "#db/client.server.ts";

/** What is for sale is read and written whole, without a note of when: so one after the other. */
const OF_THE_OFFER = ["product", "price"];

export async function enqueueEvent(
  { id, subject }: { id: string; subject: string },
  executor?: Executor,
): Promise<void> {
  const queue = OF_THE_OFFER.includes(subject) ? "offer" : null;
  await enqueue("billing-event", { eventId: id }, executor, queue);
}
