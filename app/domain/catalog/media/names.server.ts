import { createHash } from "node:crypto";
import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { text } from "#db/rows.ts";
import { creators, tags } from "#db/schema/catalog.ts";
import type { NameKind } from "./former-slugs.server.ts";
import { romanizedSlug, slugify } from "./slug.server.ts";

export const Named = z.object({ id: text, name: text });
export type Named = z.infer<typeof Named>;

/** Ignores case and accents. */
export function containsText(text: SQL, part: string): SQL {
  return sql`strpos(lower(f_unaccent(${text})), lower(f_unaccent(${part}))) > 0`;
}

export const creatorNames = sql`to_jsonb(ARRAY(SELECT c.name FROM media_creators mc
  JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id ORDER BY mc.position, c.name))`;

export async function findCreatorByName(executor: Executor, name: string): Promise<Named | null> {
  const isNamed = sql`lower(${creators.name}) = lower(${name})`;
  const [known] = await executor
    .select({ id: creators.id, name: creators.name })
    .from(creators)
    .where(
      sql`${isNamed} OR EXISTS (SELECT 1 FROM unnest(${creators.aliases}) alias WHERE lower(alias) = lower(${name}))`,
    )
    .orderBy(sql`${isNamed} DESC`, creators.id)
    .limit(1);
  return known ?? null;
}

/** By name or slug, ignoring case, then by a former slug. */
export async function findTagByName(executor: Executor, name: string): Promise<Named | null> {
  const isNamed = sql`lower(${tags.name}) = lower(${name})`;
  const slug = tagSlug(name);
  const [known] = await executor
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    .where(
      sql`${isNamed} OR ${tags.slug} = ${slug} OR ${tags.id} = (
        SELECT target_id FROM former_slugs WHERE kind = 'tag' AND former_slugs.slug = ${slug})`,
    )
    // A tag's slug may differ from what its name gives.
    .orderBy(sql`${isNamed} DESC, ${tags.slug} = ${slug} DESC`)
    .limit(1);
  return known ?? null;
}

const KINDS = {
  creator: { table: sql`creators`, find: findCreatorByName, create: createCreator },
  tag: { table: sql`tags`, find: findTagByName, create: createTag },
} satisfies Record<NameKind, object>;

/** The rows cannot be deleted until the transaction ends. */
export async function findOrCreateNames(tx: Transaction, kind: NameKind, names: string[]): Promise<string[]> {
  for (;;) {
    const ids: string[] = [];
    for (const name of names) ids.push(await findOrCreate(tx, kind, name));
    // Everybody locks in this order. A rename holds lockNames() while it waits for these rows.
    const locked = await tx.execute(sql`SELECT FROM ${KINDS[kind].table} WHERE id = ANY(${uuids(ids)})
      ORDER BY id FOR KEY SHARE`);
    if (locked.length === new Set(ids).size) return ids;
  }
}

async function findOrCreate(tx: Transaction, kind: NameKind, name: string): Promise<string> {
  const { find, create } = KINDS[kind];
  const known = await find(tx, name);
  if (known !== null) return known.id;
  await lockNames(tx, kind);
  const id = (await find(tx, name))?.id ?? (await create(tx, name));
  if (id === undefined) throw new Error("the name was not stored");
  return id;
}

/** One lock for each kind: an import that waits for a creator's name already holds tags that a rename may wait for. */
export async function lockNames(tx: Transaction, kind: NameKind): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext('catalog_names ' || ${kind}::text))`);
}

export async function createCreator(tx: Transaction, name: string): Promise<string | undefined> {
  const slug = await freeCreatorSlug(tx, name);
  const [created] = await tx.insert(creators).values({ slug, name }).returning({ id: creators.id });
  return created?.id;
}

async function freeCreatorSlug(tx: Transaction, name: string): Promise<string> {
  const words = romanizedSlug(name);
  const unique = [words, createHash("sha256").update(name).digest("hex").slice(0, 8)]
    .filter(Boolean)
    .join("-");
  if (words === "") return unique;
  // A new creator of this name would hide whoever had the address before.
  const taken = await tx.execute(sql`SELECT FROM creators WHERE slug = ${words}
    UNION ALL SELECT FROM former_slugs WHERE kind = 'creator' AND slug = ${words}`);
  return taken.length === 0 ? words : unique;
}

async function createTag(tx: Transaction, name: string): Promise<string | undefined> {
  const [created] = await tx
    .insert(tags)
    .values({ slug: tagSlug(name), name })
    .returning({ id: tags.id });
  return created?.id;
}

/** Not romanized: 夜, 叶 and 业 would all be the tag "ye". */
export function tagSlug(name: string): string {
  return slugify(name) || name.toLowerCase();
}
