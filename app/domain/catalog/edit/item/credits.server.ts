import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { db } from "#db/client.server.ts";
import { readRow, text } from "#db/rows.ts";
import { Named } from "../../media/names.server.ts";
import { EditedItem, selectItems } from "./items.server.ts";
import { ShootItem, shootColumns } from "./shoots.server.ts";

/** Browsers stay fast with this many suggestions. Other names can be typed. */
const NAMES_LIMIT = 1_000;

const Credits = z.object({
  item: EditedItem,
  credited: z.array(Named),
  /** The other items of its shoot. */
  shoot: z.array(ShootItem),
  /** Names to suggest. */
  creators: z.array(text),
  tags: z.array(text),
});

export async function findCredits(id: string): Promise<z.infer<typeof Credits> | null> {
  return readRow(db, Credits)`
    SELECT to_jsonb(item) AS item,
      COALESCE((SELECT jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name) ORDER BY mc.position, c.name)
        FROM media_creators mc JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = item.id), '[]') AS credited,
      COALESCE((SELECT jsonb_agg(to_jsonb(other)) FROM (SELECT ${shootColumns} FROM media m
        WHERE m.shoot_id = item."shootId" AND m.id <> item.id ORDER BY m.created_at, m.id) other), '[]') AS shoot,
      ${namesIn(sql`creators`)} AS creators, ${namesIn(sql`tags`)} AS tags
    FROM (${selectItems([id])}) item`;
}

function namesIn(table: SQL): SQL {
  return sql`to_jsonb(ARRAY(SELECT name FROM ${table} ORDER BY lower(name) LIMIT ${NAMES_LIMIT}))`;
}
