import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { keyedHashes } from "#app/domain/keys/keys.server.ts";
import { db } from "#db/client.server.ts";

export const MAX_STREAMS = 6;
/** For visitors without an account, by their network address, which a household may share. */
export const MAX_STREAMS_PER_ADDRESS = 24;
/** Three times the longest wait between two renewals of an active stream. */
const LEASE = sql`interval '15 seconds'`;

export interface StreamHolder {
  id: string;
  maxStreams: number;
}

export function memberHolder(userId: string): StreamHolder {
  return { id: userId, maxStreams: MAX_STREAMS };
}

/** Keyed, since addresses could be guessed from a plain hash. */
export function addressHolder(address: string): StreamHolder {
  const [hash] = keyedHashes("stream-holder", address);
  const id = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
  return { id, maxStreams: MAX_STREAMS_PER_ADDRESS };
}

export interface StreamSlot {
  slot: number;
  leaseId: string;
}

/** Null when the holder has the maximum number of streams. */
export async function takeStreamSlot({ id, maxStreams }: StreamHolder): Promise<StreamSlot | null> {
  const leaseId = randomUUID();
  for (;;) {
    const [row] = await db.execute<{ slot: number | null; free: number }>(sql`
      WITH free AS (
        SELECT s.slot FROM generate_series(1, ${maxStreams}::int) AS s(slot)
        WHERE NOT EXISTS (SELECT 1 FROM media_streams m
          WHERE m.user_id = ${id} AND m.slot = s.slot AND m.renewed_at > now() - ${LEASE})
      ), taken AS (
        INSERT INTO media_streams (user_id, slot, lease_id)
        SELECT ${id}::uuid, slot, ${leaseId}::uuid FROM free ORDER BY random() LIMIT 1
        ON CONFLICT (user_id, slot) DO UPDATE SET lease_id = excluded.lease_id, renewed_at = now()
        WHERE media_streams.renewed_at <= now() - ${LEASE}
        RETURNING slot
      )
      SELECT (SELECT slot FROM taken) AS slot, (SELECT count(*)::int FROM free) AS free
    `);
    if (row?.slot) return { slot: row.slot, leaseId };
    // Another stream took the slot first; another slot may be free.
    if (!row?.free) return null;
  }
}

/** False when the stream stalled so long that another took its slot. */
export async function renewStreamSlot({ id }: StreamHolder, { slot, leaseId }: StreamSlot): Promise<boolean> {
  const rows = await db.execute(sql`
    UPDATE media_streams SET renewed_at = now()
    WHERE user_id = ${id} AND slot = ${slot} AND lease_id = ${leaseId} RETURNING 1`);
  return rows.length > 0;
}

export async function freeStreamSlot({ id }: StreamHolder, { slot, leaseId }: StreamSlot): Promise<void> {
  await db.execute(sql`
    DELETE FROM media_streams WHERE user_id = ${id} AND slot = ${slot} AND lease_id = ${leaseId}`);
}

/** Videos being sent now, by all processes and nginx. */
export async function countStreams(): Promise<number> {
  const [row] = await db.execute<{ streams: number }>(
    sql`SELECT count(*)::int AS streams FROM media_streams WHERE renewed_at > now() - ${LEASE}`,
  );
  return row?.streams ?? 0;
}

export async function cleanUpStreamSlots(): Promise<void> {
  await db.execute(sql`DELETE FROM media_streams WHERE renewed_at < now() - ${LEASE}`);
}
