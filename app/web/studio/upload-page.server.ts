import { formatZoneTime } from "#app/dates.ts";
import { listBatches } from "#app/domain/uploads/own-batches.server.ts";
import { siteFacts } from "../pages/site-facts.server.ts";

/** Each person sees only their own. */
export async function findUploads(userId: string) {
  const { timeZone } = siteFacts;
  return (await listBatches(userId)).map((batch) => ({
    ...batch,
    createdAt: formatZoneTime(batch.createdAt, timeZone),
    keptUntil: formatZoneTime(batch.keptUntil, timeZone),
  }));
}
