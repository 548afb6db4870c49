import { z } from "zod";
import { db } from "#db/client.server.ts";
import { flag, readRow, text, timestamp } from "#db/rows.ts";
import { isExpired } from "../../media/visibility.server.ts";

const ItemFacts = z.object({
  isExpired: flag,
  takenDownAt: timestamp.nullable(),
  takenDownReason: text.nullable(),
  deletedAt: timestamp.nullable(),
});
export type ItemFacts = z.infer<typeof ItemFacts>;

export async function findItemFacts(id: string): Promise<ItemFacts | null> {
  return readRow(db, ItemFacts)`
    SELECT ${isExpired} AS "isExpired", m.taken_down_at AS "takenDownAt", m.taken_down_reason AS "takenDownReason",
      m.deleted_at AS "deletedAt"
    FROM media m WHERE m.id = ${id}`;
}
