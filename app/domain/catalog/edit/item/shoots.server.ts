import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { z } from "zod";
import { UUID } from "#app/texts.ts";
import { searchDb, type Transaction } from "#db/client.server.ts";
import { readRow, readRows, text } from "#db/rows.ts";
import { mediaStatus, mediaType } from "#db/schema/catalog.ts";
import { matchesSearch } from "../../lists/search.server.ts";

const FOUND = 20;

export const ShootItem = z.object({
  id: text,
  type: z.enum(mediaType.enumValues),
  title: text,
  state: z.enum(mediaStatus.enumValues),
  shootId: text.nullable(),
});
export type ShootItem = z.infer<typeof ShootItem>;

export const shootColumns = sql`m.id, m.type, m.title, m.status AS state, m.shoot_id AS "shootId"`;

/** Items that are in a shoot come first. */
export async function findShoots(search: string, exceptId: string): Promise<ShootItem[]> {
  return readRows(searchDb, ShootItem)`
    SELECT ${shootColumns} FROM media m
    WHERE ${await matchesSearch(search)} AND m.id <> ${exceptId} AND m.status <> 'deleted'
    ORDER BY m.shoot_id IS NULL, m.updated_at DESC, m.id LIMIT ${FOUND}`;
}

/** `wanted`: the id of a shoot, or of an item to share one with. `starterId`: that item, if it has no shoot yet and joins the new one. */
export async function resolveShoot(
  tx: Transaction,
  itemId: string,
  wanted: string,
): Promise<{ shootId: string; starterId: string | null } | null> {
  if (!UUID.test(wanted)) return null;
  const found = await readRow(tx, ShootItem)`
    SELECT ${shootColumns} FROM media m WHERE m.shoot_id = ${wanted} OR (m.id = ${wanted} AND m.id <> ${itemId}) LIMIT 1`;
  if (!found) return null;
  return found.shootId === null
    ? { shootId: randomUUID(), starterId: found.id }
    : { shootId: found.shootId, starterId: null };
}
