import { type SQL, sql } from "drizzle-orm";
import { z } from "zod";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { compareEdits } from "#app/domain/staff/compare-edits.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { quoted } from "#app/texts.ts";
import { db, type Executor, type Transaction, uuids } from "#db/client.server.ts";
import { flag, number, readOne, readRow, text } from "#db/rows.ts";
import { creators } from "#db/schema/catalog.ts";
import { dropFormerSlugs, keepFormerSlug, type NameKind } from "../../media/former-slugs.server.ts";
import { createCreator, lockNames } from "../../media/names.server.ts";
import { type PictureView, portraitView } from "../../media/picture-view.ts";
import { portraitKey, UUID } from "../../media/served-file.server.ts";
import { hasPublished } from "../../media/visibility.server.ts";
import type { IdOrProblem } from "../item/change-item.server.ts";
import { refused, type SaveResult } from "../item/edit-media.server.ts";
import type { FieldValue } from "../item/sections.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import {
  type CreatorSection,
  type CreatorValues,
  creatorErrors,
  nameError,
  normalizedCreator,
} from "./creator-sections.ts";

export const NO_CREATOR = "There is no such creator.";

export interface EditableCreator {
  id: string;
  slug: string;
  name: string;
  values: CreatorValues;
  portrait: PictureView | null;
  works: number;
  /** Anybody past the age gate sees the page. */
  isPublic: boolean;
}

const Row = z.object({
  id: text,
  slug: text,
  name: text,
  bio: text,
  aliases: z.array(text),
  links: z.array(z.object({ label: text, url: text })),
  portrait_alt: text,
  color: text,
  portrait_key: text.nullable(),
  is_public: flag,
});
type Row = z.infer<typeof Row>;

export async function findEditableCreator(id: string): Promise<EditableCreator | null> {
  const row = UUID.test(id) ? await readCreator(db, id) : null;
  if (row === null) return null;
  const { slug, name } = row;
  return {
    ...{ id, slug, name },
    values: valuesOf(row),
    portrait: portraitView(row),
    works: await readOne(db, number)`SELECT ${countedWorks("creator", sql`${id}::uuid`)}`,
    isPublic: row.is_public,
  };
}

/** Items with this name that are not deleted. */
export function countedWorks(kind: NameKind, id: SQL): SQL {
  const rows =
    kind === "creator" ? sql`media_creators l WHERE l.creator_id` : sql`media_tags l WHERE l.tag_id`;
  return sql`(SELECT count(*)::int FROM ${rows} = ${id}
    AND l.media_id NOT IN (SELECT id FROM media WHERE status = 'deleted'))`;
}

async function readCreator(executor: Executor, id: string): Promise<Row | null> {
  return readRow(executor, Row)`
    SELECT c.id, c.slug, c.name, c.bio, to_jsonb(c.aliases) AS aliases, c.links, c.portrait_alt, c.color,
      ${portraitKey(sql`c`)} AS portrait_key,
      ${hasPublished} AS is_public
    FROM creators c WHERE c.id = ${id}`;
}

function valuesOf({ name, slug, bio, aliases, links, portrait_alt }: Row): CreatorValues {
  return {
    text: { name, slug, bio },
    aliases: { aliases },
    links: { links: links.map(({ label, url }) => ({ label, url })) },
    portrait: { portraitAlt: portrait_alt },
  };
}

/** Refuses another creator's name or alias, because imports would find only one of the two. */
export async function addCreator(actor: Actor, given: string): Promise<IdOrProblem> {
  if (!mayDo(actor, "media.edit")) return { id: null, problem: NOT_ALLOWED };
  const name = normalizeName(given);
  const [problem] = Object.values(nameError(name));
  if (problem !== undefined) return { id: null, problem };
  return db.transaction(async (tx) => {
    await lockNames(tx, "creator");
    const taken = await takenProblem(tx, null, [name]);
    if (taken !== null) return { id: null, problem: taken };
    const id = await createCreator(tx, name);
    if (id === undefined) throw new Error("the creator was not stored");
    await recordAudit(tx, {
      ...{ actor, action: "creator.created", subjectKind: "creator", subjectId: id, subjectName: name },
    });
    return { id, problem: null };
  });
}

export async function saveCreator<Name extends CreatorSection>(
  actor: Actor,
  id: string,
  section: Name,
  opened: CreatorValues[Name],
  wanted: CreatorValues[Name],
): Promise<SaveResult> {
  if (!mayDo(actor, "media.edit")) return refused(NOT_ALLOWED);
  if (!UUID.test(id)) return refused(NO_CREATOR);
  const [before, sent] = [normalizedCreator(section, opened), normalizedCreator(section, wanted)];
  return db.transaction((tx) => saveFields(tx, actor, id, section, before, sent));
}

async function saveFields<Name extends CreatorSection>(
  tx: Transaction,
  actor: Actor,
  id: string,
  section: Name,
  opened: CreatorValues[Name],
  sent: CreatorValues[Name],
): Promise<SaveResult> {
  await lockNames(tx, "creator");
  const row = await lockCreator(tx, id);
  if (row === null) return refused(NO_CREATOR);
  const stored: object = normalizedCreator(section, valuesOf(row)[section]);
  const { changed, conflicts } = compareEdits<FieldValue>({ ...opened }, { ...stored }, { ...sent });
  // An editor need not fix what others have stored.
  const wrong = Object.entries(creatorErrors(section, sent)).filter(
    ([field]) => field.replace(/-\d+$/, "") in changed,
  );
  if (wrong.length > 0) return { saved: false, errors: Object.fromEntries(wrong) };
  if (conflicts.length > 0) return { saved: false, conflicts };
  const fields = Object.keys(changed);
  if (fields.length === 0) return { saved: true };
  const taken = await takenError(tx, row, changed);
  if (taken !== null) return { saved: false, errors: taken };

  const after = { ...row, ...rowOf(changed) };
  await tx.execute(sql`UPDATE creators SET name = ${after.name}, slug = ${after.slug}, bio = ${after.bio},
    aliases = ${texts(after.aliases)}, links = ${JSON.stringify(after.links)}::jsonb, portrait_alt = ${after.portrait_alt}
    WHERE id = ${id}`);
  await keepFormerSlug(tx, "creator", id, { from: row.slug, to: after.slug });
  await recordAudit(tx, {
    actor,
    action: "creator.edited",
    subjectKind: "creator",
    subjectId: id,
    subjectName: row.name,
    before: Object.fromEntries(fields.map((field) => [field, (stored as Record<string, unknown>)[field]])),
    after: changed,
  });
  return { saved: true };
}

function rowOf(changed: Record<string, unknown>): Partial<Row> {
  const { portraitAlt, ...same } = changed;
  return { ...same, ...(portraitAlt === undefined ? {} : { portrait_alt: String(portraitAlt) }) };
}

/** Waits for edits that credit the creator at this moment. Later ones wait for this one, and read the new name. */
export async function lockCreator(tx: Transaction, id: string): Promise<Row | null> {
  await tx.execute(sql`SELECT FROM creators WHERE id = ${id} FOR UPDATE`);
  return readCreator(tx, id);
}

async function takenError(
  tx: Transaction,
  { id, aliases: before }: Row,
  { name, slug, aliases }: Record<string, unknown>,
): Promise<Record<string, string> | null> {
  if (typeof slug === "string") {
    const other = await readRow(tx, text)`SELECT name FROM creators WHERE slug = ${slug} AND id <> ${id}`;
    if (other !== null)
      return { slug: `This is the address of ${quoted(other)}. Please choose another one.` };
  }
  // An alias that two creators already share does not block changes to the others.
  const added = ((aliases ?? []) as string[]).filter((alias) => !before.includes(alias));
  const [field, names] = typeof name === "string" ? ["name", [name]] : ["aliases", added];
  const problem = await takenProblem(tx, id, names);
  return problem === null ? null : { [field as string]: problem };
}

const TakenName = z.object({ name: text, taken: text });

async function takenProblem(tx: Transaction, id: string | null, names: string[]): Promise<string | null> {
  const other = await readRow(tx, TakenName)`
    SELECT c.name, own.name AS taken FROM creators c, unnest(c.name || c.aliases) own(name)
    WHERE lower(own.name) IN (SELECT lower(given) FROM unnest(${texts(names)}) given) AND c.id <> ALL(${uuids(id === null ? [] : [id])}) LIMIT 1`;
  if (!other) return null;
  const { name, taken } = other;
  const whose =
    name === taken
      ? `${quoted(name)} is already a creator`
      : `${quoted(taken)} is another name of ${quoted(name)}`;
  return `${whose}. If they are the same, merge the two instead.`;
}

/** Null when done, otherwise a sentence. Only a creator without works can be deleted. */
export async function deleteCreator(actor: Actor, id: string): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  if (!UUID.test(id)) return NO_CREATOR;
  return db.transaction(async (tx) => {
    const row = await lockCreator(tx, id);
    if (row === null) return NO_CREATOR;
    const works = await readOne(tx, number)`SELECT ${countedWorks("creator", sql`${id}::uuid`)}`;
    if (works > 0)
      return `${quoted(row.name)} is credited in an item. Remove the credits first, or merge the creator.`;
    await dropFormerSlugs(tx, "creator", id);
    await removeCreator(tx, id);
    await recordAudit(tx, {
      actor,
      action: "creator.deleted",
      subjectKind: "creator",
      subjectId: id,
      subjectName: row.name,
      before: { name: row.name, slug: row.slug, aliases: row.aliases, bio: row.bio, links: row.links },
    });
    return null;
  });
}

/** Deletes the row, which no item credits any more, and then the portrait. */
export async function removeCreator(tx: Transaction, id: string): Promise<void> {
  await enqueue("delete-creator-files", { creatorId: id, version: null }, tx);
  await tx.execute(sql`DELETE FROM creators WHERE id = ${id}`);
}

/** A parameter of the same type as the column of aliases. */
export function texts(values: string[]) {
  return sql`${sql.param(values, creators.aliases)}::text[]`;
}
