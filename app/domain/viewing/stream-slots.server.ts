import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";

/** Films that one member may have flowing at a time, on all devices and in all processes. */
export const MOST_STREAMS = 6;
/** Three times as long as the longest wait between two renewals of a stream that flows. */
const LEASE = sql`interval '15 seconds'`;

export interface StreamSlot {
  slot: number;
  leaseId: string;
}

/** Null when as many films as a member may have are flowing already. */
export async function takeStreamSlot(userId: string): Promise<StreamSlot | null> {
  const leaseId = randomUUID();
  for (;;) {
    const [row] = await db.execute<{ slot: number | null; free: number }>(sql`
      WITH free AS (
        SELECT s.slot FROM generate_series(1, ${MOST_STREAMS}::int) AS s(slot)
        WHERE NOT EXISTS (SELECT 1 FROM media_streams m
          WHERE m.user_id = ${userId} AND m.slot = s.slot AND m.renewed_at > now() - ${LEASE})
      ), taken AS (
        INSERT INTO media_streams (user_id, slot, lease_id)
        SELECT ${userId}::uuid, slot, ${leaseId}::uuid FROM free ORDER BY random() LIMIT 1
        ON CONFLICT (user_id, slot) DO UPDATE SET lease_id = excluded.lease_id, renewed_at = now()
        WHERE media_streams.renewed_at <= now() - ${LEASE}
        RETURNING slot
      )
      SELECT (SELECT slot FROM taken) AS slot, (SELECT count(*)::int FROM free) AS free
    `);
    if (row?.slot) return { slot: row.slot, leaseId };
    // Another stream was quicker to the same slot: there may be a next one.
    if (!row?.free) return null;
  }
}

/** False when the stream stood still so long that another has taken its slot. */
export async function renewStreamSlot(userId: string, { slot, leaseId }: StreamSlot): Promise<boolean> {
  const rows = await db.execute(sql`
    UPDATE media_streams SET renewed_at = now()
    WHERE user_id = ${userId} AND slot = ${slot} AND lease_id = ${leaseId} RETURNING 1`);
  return rows.length > 0;
}

export async function freeStreamSlot(userId: string, { slot, leaseId }: StreamSlot): Promise<void> {
  await db.execute(sql`
    DELETE FROM media_streams WHERE user_id = ${userId} AND slot = ${slot} AND lease_id = ${leaseId}`);
}

/** Leases of processes that died. */
export async function cleanUpStreamSlots(): Promise<void> {
  await db.execute(sql`DELETE FROM media_streams WHERE renewed_at < now() - ${LEASE}`);
}
