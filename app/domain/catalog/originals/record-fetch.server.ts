import { sql } from "drizzle-orm";
import { hasRecentEntry, recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";
import type { StoredOriginal } from "./originals.server.ts";

/** One download makes many requests, for its parts and after each pause. */
const SAME_FETCH_SECONDS = 3_600;

/** One entry an hour for each person and file. Throws when it cannot be written, because nothing may be sent without it. */
export async function recordFetch(
  actor: Actor,
  mediaId: string,
  { photo, title }: StoredOriginal,
): Promise<void> {
  const entry: Parameters<typeof recordAudit>[1] = {
    ...{ actor, action: "original.fetched", subjectKind: "media", subjectId: mediaId },
    ...(photo === null ? {} : { after: { photo: photo.position, number: photo.number } }),
  };
  if (await hasRecentEntry(db, entry, SAME_FETCH_SECONDS)) return;
  await db.transaction(async (tx) => {
    // Some programs fetch parts at once.
    await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`original ${actor.id} ${mediaId}`}))`);
    if (await hasRecentEntry(tx, entry, SAME_FETCH_SECONDS)) return;
    await recordAudit(tx, { ...entry, subjectName: title });
  });
}
