import { createHash } from "node:crypto";
import { sql } from "drizzle-orm";
import { type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { creators, tags } from "#db/schema/catalog.ts";
import type { NameKind } from "./former-slugs.server.ts";
import { romanizedSlug, slugify } from "./slug.server.ts";

export interface Named {
  id: string;
  name: string;
}

/** In the order of credit, for a row `m` of media. */
export const creatorNames = sql`to_jsonb(ARRAY(SELECT c.name FROM media_creators mc
  JOIN creators c ON c.id = mc.creator_id WHERE mc.media_id = m.id ORDER BY mc.position, c.name))`;

/** By name or alias, in any case. */
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

/** By name or slug, in any case, and then by a slug from before it was renamed or merged. */
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
    // By name first, because a tag may have another slug than its name gives.
    .orderBy(sql`${isNamed} DESC, ${tags.slug} = ${slug} DESC`)
    .limit(1);
  return known ?? null;
}

const KINDS = {
  creator: { table: sql`creators`, find: findCreatorByName, create: createCreator },
  tag: { table: sql`tags`, find: findTagByName, create: createTag },
} satisfies Record<NameKind, object>;

/** The ids of the names, each of which stays until the transaction ends: whoever wants to remove one waits. */
export async function findOrCreateNames(tx: Transaction, kind: NameKind, names: string[]): Promise<string[]> {
  for (;;) {
    const ids: string[] = [];
    for (const name of names) ids.push(await findOrCreate(tx, kind, name));
    // All at once and in the order in which others lock them. A rename waits for these while it keeps others from new names.
    const locked = await tx.execute(sql`SELECT FROM ${KINDS[kind].table} WHERE id = ANY(${uuids(ids)})
      ORDER BY id FOR KEY SHARE`);
    // One that was merged or deleted meanwhile is found under its new name, or made.
    if (locked.length === new Set(ids).size) return ids;
  }
}

/** Two who make the same name at once get the same row: the second waits for the first and then finds it. */
async function findOrCreate(tx: Transaction, kind: NameKind, name: string): Promise<string> {
  const { find, create } = KINDS[kind];
  const known = await find(tx, name);
  if (known !== null) return known.id;
  await lockNames(tx, kind);
  const id = (await find(tx, name))?.id ?? (await create(tx, name));
  if (id === undefined) throw new Error("the name was not stored");
  return id;
}

/** One lock for each kind: an import that waits for a new creator's name has its tags already, for which a rename may wait. */
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
  // An earlier address leads to somebody, whom a new creator of this name would hide.
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

/** Not romanized, because the same slug is the same tag: 夜, 叶 and 业 would all be "ye". */
export function tagSlug(name: string): string {
  return slugify(name) || name.toLowerCase();
}
