import { sql } from "drizzle-orm";
import { z } from "zod";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { lastEdit, versionOf } from "#app/domain/staff/part-versions.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import type { NameKind } from "#app/paths.ts";
import { quoted } from "#app/texts.ts";
import { db, retryDeadlock, type Transaction, uuids } from "#db/client.server.ts";
import { readRow, text } from "#db/rows.ts";
import { creators } from "#db/schema/catalog.ts";
import { dropFormerSlugs, keepFormerSlug } from "../../media/former-slugs.server.ts";
import { createCreator, freeTagSlug, isTagNamed, lockNames, ownTagSlug } from "../../media/names.server.ts";
import type { IdOrProblem } from "../item/change-item.server.ts";
import { changesOf, type SavedPart } from "../item/save-part.server.ts";
import { normalizedValue } from "../item/sections.ts";
import { errorsIn, type FieldErrors } from "../item/text-fields.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { lockNameRows, NAMES, type NameRow } from "./name-rows.server.ts";
import { NAME_VALUES, type NameValues } from "./name-values.ts";

export const NO_NAME: Record<NameKind, string> = {
  creator: "There is no such creator.",
  tag: "There is no such tag.",
};

export function nameValues<Kind extends NameKind>(
  kind: Kind,
  { name, slug, aliases, bio, links, portrait_alt }: NameRow,
): NameValues[Kind] {
  const values = { name, slug, aliases, bio, links, portraitAlt: portrait_alt };
  return normalized(kind, (kind === "tag" ? { name } : values) as NameValues[Kind]) as NameValues[Kind];
}

function normalized<Kind extends NameKind>(kind: Kind, values: Partial<NameValues[Kind]>) {
  const fields: Record<string, z.ZodType> = NAME_VALUES[kind].shape;
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      normalizedValue(fields[field] ?? z.never(), value),
    ]),
  ) as Partial<NameValues[Kind]>;
}

/** Refuses another creator's name or alias, because imports would find only one of the two. */
export async function addCreator(actor: Actor, given: string): Promise<IdOrProblem> {
  if (!mayDo(actor, "media.edit")) return { id: null, problem: NOT_ALLOWED };
  const { name = "" } = normalized("creator", { name: given });
  const { name: problem } = errorsIn(NAME_VALUES.tag.safeParse({ name }));
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

/** `version`: of the stored values of the sent fields, as savePart() takes it. A field that was not sent stays. */
export async function saveName<Kind extends NameKind>(
  actor: Actor,
  kind: Kind,
  id: string,
  version: string,
  sent: Partial<NameValues[Kind]>,
): Promise<SavedPart<object>> {
  if (!mayDo(actor, "media.edit")) return { saved: false, errors: { form: NOT_ALLOWED } };
  return db.transaction(async (tx): Promise<SavedPart<object>> => {
    await lockNames(tx, kind);
    const [row] = await lockNameRows(tx, kind, [id]);
    if (row === undefined) return { saved: false, errors: { form: NO_NAME[kind] } };
    const stored = Object.fromEntries(
      Object.entries(nameValues(kind, row)).filter(([field]) => field in sent),
    );
    const wanted = normalized(kind, sent);
    const changed = changesOf(stored, wanted);
    const fields = Object.keys(changed);
    if (fields.length === 0) return { saved: true, title: row.name, renamed: [] };
    // An editor need not fix what others have stored.
    const wrong = errorsIn((NAME_VALUES[kind] as z.ZodObject).partial().safeParse(changed));
    if (Object.keys(wrong).length > 0) return { saved: false, errors: wrong };
    if (version !== versionOf(stored)) {
      const edit = await lastEdit(tx, id, Object.keys(stored), [`${kind}.merged`]);
      return { saved: false, conflict: { stored, version: versionOf(stored), fields, edit } };
    }
    const taken = await takenErrors(tx, kind, row, changed);
    if (taken !== null) return { saved: false, errors: taken };
    await write(tx, kind, row, changed);
    await recordAudit(tx, {
      ...{ actor, action: kind === "tag" ? "tag.renamed" : "creator.edited" },
      ...{ subjectKind: kind, subjectId: id, subjectName: row.name },
      before: Object.fromEntries(fields.map((field) => [field, stored[field]])),
      after: changed,
    });
    return { saved: true, title: row.name, renamed: [] };
  });
}

/** The address of a tag follows its name. The earlier ones lead to the new one. */
async function write(
  tx: Transaction,
  kind: NameKind,
  row: NameRow,
  changed: Partial<NameValues["creator"]>,
): Promise<void> {
  const { name, slug, aliases, bio, links, portraitAlt } = {
    ...row,
    portraitAlt: row.portrait_alt,
    ...changed,
  };
  const to =
    kind === "tag" ? await freeTagSlug(tx, name, sql`SELECT slug FROM tags WHERE id <> ${row.id}`) : slug;
  const texts = sql`, aliases = ${namesParam(aliases)}, bio = ${bio}, links = ${JSON.stringify(links)}::jsonb,
    portrait_alt = ${portraitAlt}`;
  await tx.execute(sql`UPDATE ${NAMES[kind].table} SET name = ${name}, slug = ${to}
    ${kind === "tag" ? sql`` : texts} WHERE id = ${row.id}`);
  for (const from of await addressesOf(tx, kind, row)) await keepFormerSlug(tx, kind, row.id, { from, to });
}

/** A tag is also found by the name that it has had. */
export async function addressesOf(
  tx: Transaction,
  kind: NameKind,
  { slug, name }: NameRow,
): Promise<string[]> {
  return kind === "tag" ? [slug, await ownTagSlug(tx, name)] : [slug];
}

async function takenErrors(
  tx: Transaction,
  kind: NameKind,
  row: NameRow,
  { name, slug, aliases = [] }: Partial<NameValues["creator"]>,
): Promise<FieldErrors | null> {
  if (kind === "tag") {
    const other = await readRow(tx, text)`
      SELECT name FROM tags WHERE id <> ${row.id} AND ${isTagNamed(name ?? row.name)} LIMIT 1`;
    return other === null ? null : { name: `${quoted(other)} is already a tag. Merge the two instead.` };
  }
  if (slug !== undefined) {
    const other = await readRow(tx, text)`SELECT name FROM creators WHERE slug = ${slug} AND id <> ${row.id}`;
    if (other !== null)
      return { slug: `This is the address of ${quoted(other)}. Please choose another one.` };
  }
  // An alias that two creators already share does not block changes to the others.
  const added = aliases.filter((alias) => !row.aliases.includes(alias));
  for (const [field, names] of [
    ["name", name === undefined ? [] : [name]],
    ["aliases", added],
  ] as const) {
    const taken = await takenProblem(tx, row.id, names);
    if (taken !== null) return { [field]: taken };
  }
  return null;
}

const TakenName = z.object({ name: text, taken: text });

async function takenProblem(
  tx: Transaction,
  id: string | null,
  names: readonly string[],
): Promise<string | null> {
  const other = await readRow(tx, TakenName)`
    SELECT c.name, own.name AS taken FROM creators c, unnest(c.name || c.aliases) own(name)
    WHERE lower(own.name) IN (SELECT lower(given) FROM unnest(${namesParam(names)}) given)
      AND c.id <> ALL(${uuids(id === null ? [] : [id])}) LIMIT 1`;
  if (!other) return null;
  const { name, taken } = other;
  const whose =
    name === taken
      ? `${quoted(name)} is already a creator`
      : `${quoted(taken)} is another name of ${quoted(name)}`;
  return `${whose}. If they are the same, merge the two instead.`;
}

/** Null when done, otherwise a sentence. A tag goes from all its items; a creator with works cannot be deleted. */
export async function deleteName(actor: Actor, kind: NameKind, id: string): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  return retryDeadlock(async (tx) => {
    const [row] = await lockNameRows(tx, kind, [id]);
    if (row === undefined) return NO_NAME[kind];
    const { name, slug, aliases, bio, links, works } = row;
    if (kind === "creator" && works > 0) {
      return `${quoted(name)} is credited on an item. Remove the credits first, or merge the creator.`;
    }
    await dropFormerSlugs(tx, kind, id);
    await removeName(tx, kind, id);
    await recordAudit(tx, {
      ...{ actor, action: `${kind}.deleted`, subjectKind: kind, subjectId: id, subjectName: name },
      ...(kind === "tag"
        ? { before: { name }, after: { items: works } }
        : { before: { name, slug, aliases, bio, links } }),
    });
    return null;
  });
}

/** Deletes the row, and then the portrait. */
export async function removeName(tx: Transaction, kind: NameKind, id: string): Promise<void> {
  if (kind === "creator") await enqueue("delete-creator-files", { creatorId: id, version: null }, tx);
  await tx.execute(sql`DELETE FROM ${NAMES[kind].table} WHERE id = ${id}`);
}

/** A parameter of the same type as the column of aliases. */
export function namesParam(names: readonly string[]) {
  return sql`${sql.param(names, creators.aliases)}::text[]`;
}
