// Needed because a paused or lost player must not hold one of its viewer's six videos: decisions 115 and 143.
import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { keyedHashes } from "#app/domain/keys/keys.server.ts";
import { db } from "#db/client.server.ts";
import { number, readOne } from "#db/rows.ts";

export const MAX_SLOTS = 6;
/** For visitors without an account, by their network address, which a household may share. */
export const MAX_SLOTS_PER_ADDRESS = 24;
/** A running video renews its slot every five seconds, segments at least every eight. */
const IDLE = sql`interval '15 seconds'`;
/** Longer than IDLE, so that an HLS player whose buffer was full finds its slot again unless somebody needed it. */
const DELETED_AFTER = sql`interval '30 seconds'`;

export interface SlotHolder {
  id: string;
  maxSlots: number;
  sent?: string;
}

export function memberHolder(userId: string): SlotHolder {
  return { id: userId, maxSlots: MAX_SLOTS };
}

/** Keyed, since addresses could be guessed from a plain hash. */
export function addressHolder(address: string): SlotHolder {
  const [hash] = keyedHashes("slot-holder", address);
  return { id: uuidFrom(hash), maxSlots: MAX_SLOTS_PER_ADDRESS };
}

export function newLease(): string {
  return randomUUID();
}

/** The lease of a video in closed ranges: the same in every web process. */
export function leaseFor(video: string): string {
  const [hash] = keyedHashes("slot-holder", video);
  return uuidFrom(hash);
}

const SlotCounts = z.object({ taken: number, available: number });

export async function takeSlot({ id, maxSlots, sent }: SlotHolder, leaseId: string): Promise<boolean> {
  for (;;) {
    const { taken, available } = await readOne(db, SlotCounts)`
      WITH available AS (
        SELECT s.slot, m.renewed_at FROM generate_series(1, ${maxSlots}::int) AS s(slot)
        LEFT JOIN video_slots m ON m.holder_id = ${id} AND m.slot = s.slot
        WHERE m.renewed_at IS NULL OR m.renewed_at <= now() - ${IDLE}
      ), taken AS (
        INSERT INTO video_slots (holder_id, slot, lease_id, sent)
        SELECT ${id}::uuid, slot, ${leaseId}::uuid, ${sent ?? null}::text FROM available ORDER BY renewed_at NULLS FIRST, random() LIMIT 1
        ON CONFLICT (holder_id, slot) DO UPDATE SET lease_id = excluded.lease_id, sent = excluded.sent, renewed_at = now()
        WHERE video_slots.renewed_at <= now() - ${IDLE}
        RETURNING slot
      )
      SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM available) AS available
    `;
    if (taken > 0) return true;
    // Another video was faster. It is worth another try while there are other slots.
    if (available === 0) return false;
  }
}

/** Takes it even from a connection that still sends the same, which stops at its next renewal. */
export async function takeOverSlot({ id, sent }: SlotHolder, leaseId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    INSERT INTO video_slots (holder_id, slot, lease_id, sent)
    VALUES (${id}::uuid, 1, ${leaseId}::uuid, ${sent ?? null}::text)
    ON CONFLICT (holder_id, slot) DO UPDATE SET lease_id = excluded.lease_id, sent = excluded.sent, renewed_at = now()
    WHERE video_slots.sent = excluded.sent OR video_slots.renewed_at <= now() - ${IDLE}
    RETURNING 1`);
  return rows.length > 0;
}

export async function keepSlot(holder: SlotHolder, leaseId: string): Promise<boolean> {
  return (await renewSlot(holder, leaseId)) || (await takeSlot(holder, leaseId));
}

async function renewSlot({ id }: SlotHolder, leaseId: string): Promise<boolean> {
  const rows = await db.execute(sql`
    UPDATE video_slots SET renewed_at = now() WHERE holder_id = ${id} AND lease_id = ${leaseId} RETURNING 1`);
  return rows.length > 0;
}

export async function freeSlot({ id }: SlotHolder, leaseId: string): Promise<void> {
  await db.execute(sql`DELETE FROM video_slots WHERE holder_id = ${id} AND lease_id = ${leaseId}`);
}

/** Downloads take none, except sets in one file. */
export function countSlots(): Promise<number> {
  return readOne(db, number)`SELECT count(*)::int FROM video_slots WHERE renewed_at > now() - ${IDLE}`;
}

export async function cleanUpSlots(): Promise<void> {
  await db.execute(sql`DELETE FROM video_slots WHERE renewed_at < now() - ${DELETED_AFTER}`);
}

/** Makes a UUID of a hash: version 8 of RFC 9562 leaves the bits to us. */
function uuidFrom(hash: string): string {
  return hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-8$3-8$4-$5");
}
