import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import type { MediaType } from "#app/paths.ts";
import { type Executor, searchDb, type Transaction } from "#db/client.server.ts";
import { matchesSearch } from "../../lists/search.server.ts";
import type { MediaState } from "../../media/media.server.ts";
import { UUID } from "../../media/served-file.server.ts";

const FOUND = 20;

/** An item that another can share a shoot with. */
export interface ShootItem {
  id: string;
  type: MediaType;
  title: string;
  state: MediaState;
  shootId: string | null;
}

const columns = sql`m.id, m.type, m.title, m.status AS state, m.shoot_id AS "shootId"`;

/** The other items of the shoot. */
export async function listShoot(executor: Executor, shootId: string, exceptId: string): Promise<ShootItem[]> {
  return executor.execute<ShootItem & Record<string, unknown>>(sql`
    SELECT ${columns} FROM media m WHERE m.shoot_id = ${shootId} AND m.id <> ${exceptId} ORDER BY m.created_at, m.id`);
}

/** The items found by words of their title, creators and tags, those that are in a shoot already first. */
export async function findShoots(search: string, exceptId: string): Promise<ShootItem[]> {
  return searchDb.execute<ShootItem & Record<string, unknown>>(sql`
    SELECT ${columns} FROM media m
    WHERE ${await matchesSearch(search)} AND m.id <> ${exceptId} AND m.status <> 'deleted'
    ORDER BY m.shoot_id IS NULL, m.updated_at DESC, m.id LIMIT ${FOUND}`);
}

/**
 * The shoot that `wanted` means, the id of a shoot or of an item: that item's shoot, or a new one for both. `starterId` is
 * the item that a new shoot has to be written to as well. Null when there is neither.
 */
export async function resolveShoot(
  tx: Transaction,
  itemId: string,
  wanted: string,
): Promise<{ shootId: string; starterId: string | null } | null> {
  if (!UUID.test(wanted)) return null;
  const [found] = await tx.execute<ShootItem & Record<string, unknown>>(sql`
    SELECT ${columns} FROM media m WHERE m.shoot_id = ${wanted} OR (m.id = ${wanted} AND m.id <> ${itemId}) LIMIT 1`);
  if (!found) return null;
  return found.shootId === null
    ? { shootId: randomUUID(), starterId: found.id }
    : { shootId: found.shootId, starterId: null };
}
