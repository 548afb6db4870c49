import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { NameKind } from "#app/paths.ts";
import { UUID } from "#app/texts.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { flag, number, readRows, text } from "#db/rows.ts";
import { portraitKey } from "../../media/served-file.server.ts";
import { published } from "../../media/visibility.server.ts";

export const NameRow = z.object({
  id: text,
  name: text,
  slug: text,
  aliases: z.array(text),
  bio: text,
  links: z.array(z.object({ label: text, url: text })),
  portrait_alt: text,
  color: text,
  portrait_key: text.nullable(),
  /** Anybody past the age gate sees the page. */
  isPublic: flag,
  /** Items with this name that are not deleted. */
  works: number,
});
export type NameRow = z.infer<typeof NameRow>;

/** For a row `n` of the table. A tag has only its name. */
export const NAMES = {
  creator: {
    table: sql`creators`,
    works: sql`media_creators`,
    id: sql`creator_id`,
    words: sql`n.name || ' ' || array_to_string(n.aliases, ' ')`,
    own: sql`to_jsonb(n.aliases) AS aliases, n.bio, n.links, n.portrait_alt, n.color,
      ${portraitKey(sql`n`)} AS portrait_key, ${published(sql`n`)} AS "isPublic"`,
  },
  tag: {
    table: sql`tags`,
    works: sql`media_tags`,
    id: sql`tag_id`,
    words: sql`n.name`,
    own: sql`'[]'::jsonb AS aliases, '' AS bio, '[]'::jsonb AS links, '' AS portrait_alt, '' AS color,
      NULL AS portrait_key, true AS "isPublic"`,
  },
} satisfies Record<NameKind, Record<string, SQL>>;

export function nameColumns(kind: NameKind): SQL {
  return sql`n.id, n.name, n.slug, ${NAMES[kind].own}, ${countedWorks(kind)} AS works`;
}

export function countedWorks(kind: NameKind): SQL {
  const { works, id } = NAMES[kind];
  return sql`(SELECT count(*)::int FROM ${works} l WHERE l.${id} = n.id
    AND l.media_id NOT IN (SELECT id FROM media WHERE status = 'deleted'))`;
}

/** In the order of the ids. */
export async function readNames(
  executor: Executor,
  kind: NameKind,
  ids: string[],
): Promise<(NameRow | undefined)[]> {
  const known = uuids(ids.filter((id) => UUID.test(id)));
  const rows = await readRows(executor, NameRow)`
    SELECT ${nameColumns(kind)} FROM ${NAMES[kind].table} n WHERE n.id = ANY(${known})`;
  return ids.map((id) => rows.find((row) => row.id === id));
}

export async function findName(kind: NameKind, id: string): Promise<NameRow | null> {
  return (await readNames(db, kind, [id]))[0] ?? null;
}

/** Waits for edits that give items these names at this moment. Later ones wait for this one, and read the new names. */
export async function lockNameRows(
  tx: Transaction,
  kind: NameKind,
  ids: string[],
): Promise<(NameRow | undefined)[]> {
  const known = uuids(ids.filter((id) => UUID.test(id)));
  await tx.execute(sql`SELECT FROM ${NAMES[kind].table} WHERE id = ANY(${known}) ORDER BY id FOR UPDATE`);
  return readNames(tx, kind, ids);
}
