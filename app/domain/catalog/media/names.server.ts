import { createHash } from "node:crypto";
import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import type { NameKind } from "#app/paths.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { readOne, text } from "#db/rows.ts";
import { creators, tags } from "#db/schema/catalog.ts";
import { romanizedSlug, slugify } from "./slug.server.ts";

const HASH_LENGTH = 8;

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

/** Equal for tags whose names differ only in case, accents and blanks. Of the index tags_key. */
const tagKey = (name: SQL | AnyColumn) => sql`replace(lower(f_unaccent(${name})), ' ', '')`;
const tagHash = (name: string) =>
  sql`left(encode(sha256(convert_to(${tagKey(sql`${name}::text`)}, 'UTF8')), 'hex'), ${HASH_LENGTH}::int)`;

/** For a row of tags. Not by the slug, which "A" and "A+" would share. Names of symbols have no key, and are compared as they are. */
export function isTagNamed(name: string): SQL {
  const key = tagKey(sql`${name}::text`);
  return sql`(${tagKey(tags.name)} = ${key} AND (${key} <> '' OR lower(${tags.name}) = lower(${name})))`;
}

/** By name, then by a name that it has had. */
export async function findTagByName(executor: Executor, name: string): Promise<Named | null> {
  const hadOwnSlug = sql`right(slug, ${HASH_LENGTH}::int) = ${tagHash(name)}`;
  const [known] = await executor
    .select({ id: tags.id, name: tags.name })
    .from(tags)
    // A union, because an OR would read all tags.
    .where(
      sql`${tags.id} IN (SELECT id FROM tags WHERE ${isTagNamed(name)} UNION ALL
        SELECT target_id FROM former_slugs f WHERE kind = 'tag' AND (${hadOwnSlug} OR ${isOldSlugOf(name)}))`,
    )
    .orderBy(
      sql`lower(${tags.name}) = lower(${name}) DESC, ${isTagNamed(name)} DESC,
        ${tags.id} IN (SELECT target_id FROM former_slugs WHERE kind = 'tag' AND ${hadOwnSlug}) DESC`,
      tags.id,
    )
    .limit(1);
  return known ?? null;
}

/** For a row `f` of former_slugs from before each name was kept with its own slug. A name with symbols may have shared it. */
function isOldSlugOf(name: string): SQL {
  if (/[\p{P}\p{S}]/u.test(name)) return sql`false`;
  const slug = tagSlug(name);
  return sql`(slug = ${slug} AND NOT EXISTS (SELECT FROM former_slugs o
    WHERE o.kind = 'tag' AND o.target_id = f.target_id AND starts_with(o.slug, ${`${slug}-`})
      AND length(o.slug) = length(${slug}) + ${HASH_LENGTH + 1}))`;
}

const KINDS = {
  creator: { table: sql`creators`, find: findCreatorByName, create: createCreator },
  tag: { table: sql`tags`, find: findTagByName, create: createTag },
} satisfies Record<NameKind, object>;

/** Names, aliases and former names become the stored names. A new name stays as it is. */
export function storedNames(kind: NameKind, names: string[], executor: Executor = db): Promise<string[]> {
  return Promise.all(names.map(async (name) => (await KINDS[kind].find(executor, name))?.name ?? name));
}

/** `ids`: in the order of the names. The rows cannot be deleted until the transaction ends. */
export async function findOrCreateNames(
  tx: Transaction,
  kind: NameKind,
  names: string[],
): Promise<{ ids: string[]; added: Named[] }> {
  const added: Named[] = [];
  for (;;) {
    const ids: string[] = [];
    for (const name of names) {
      const { id, isNew } = await findOrCreate(tx, kind, name);
      ids.push(id);
      if (isNew) added.push({ id, name });
    }
    // Everybody locks in this order. A rename holds lockNames() while it waits for these rows.
    const locked = await tx.execute(sql`SELECT FROM ${KINDS[kind].table} WHERE id = ANY(${uuids(ids)})
      ORDER BY id FOR KEY SHARE`);
    if (locked.length === new Set(ids).size) return { ids, added };
  }
}

async function findOrCreate(
  tx: Transaction,
  kind: NameKind,
  name: string,
): Promise<{ id: string; isNew: boolean }> {
  const { find, create } = KINDS[kind];
  const known = await find(tx, name);
  if (known !== null) return { id: known.id, isNew: false };
  await lockNames(tx, kind);
  const meanwhile = await find(tx, name);
  if (meanwhile !== null) return { id: meanwhile.id, isNew: false };
  const id = await create(tx, name);
  if (id === undefined) throw new Error("the name was not stored");
  return { id, isNew: true };
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
  const unique = [words, hashOf(name)].filter(Boolean).join("-");
  if (words === "") return unique;
  // A new creator of this name would hide whoever had the address before.
  const taken = await tx.execute(sql`SELECT FROM creators WHERE slug = ${words}
    UNION ALL SELECT FROM former_slugs WHERE kind = 'creator' AND slug = ${words}`);
  return taken.length === 0 ? words : unique;
}

async function createTag(tx: Transaction, name: string): Promise<string | undefined> {
  // A new tag would hide whichever had the address before.
  const slug = await freeTagSlug(
    tx,
    name,
    sql`SELECT slug FROM tags UNION ALL
    SELECT slug FROM former_slugs WHERE kind = 'tag'`,
  );
  const [created] = await tx.insert(tags).values({ slug, name }).returning({ id: tags.id });
  return created?.id;
}

/** `taken` selects slugs. */
export async function freeTagSlug(tx: Transaction, name: string, taken: SQL): Promise<string> {
  const slug = tagSlug(name);
  const others = await tx.execute(sql`SELECT FROM (${taken}) taken WHERE slug = ${slug} LIMIT 1`);
  return others.length === 0 ? slug : ownTagSlug(tx, name);
}

/** Not romanized: 夜, 叶 and 业 would all be the tag "ye". */
function tagSlug(name: string): string {
  return slugify(name) || name.toLowerCase();
}

/** Belongs to this name alone, even if the address leaves out most of it. */
export async function ownTagSlug(executor: Executor, name: string): Promise<string> {
  const hash = await readOne(executor, text)`SELECT ${tagHash(name)}`;
  return [slugify(name), hash].filter(Boolean).join("-");
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, HASH_LENGTH);
}
