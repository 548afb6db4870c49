import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { readToday } from "#app/domain/site/site.server.ts";
import { lastEdit, versionOf } from "#app/domain/staff/part-versions.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import type { Transaction } from "#db/client.server.ts";
import type { MediaState } from "../../media/media.server.ts";
import { storedNames } from "../../media/names.server.ts";
import { changeItem } from "./change-item.server.ts";
import { type EditedItem, readItem, valuesOf } from "./items.server.ts";
import { PART_SECTIONS, type PartName, type PartValues } from "./parts.ts";
import { errorsOf, normalized, SECTIONS, type SectionName } from "./sections.ts";
import { resolveShoot } from "./shoots.server.ts";
import type { FieldErrors } from "./text-fields.ts";
import { type AddedName, recordEdit, writeFields } from "./write-fields.server.ts";

export type SavedPart<Values> =
  /** `title`: of the item, as it is now; `added`: names that did not exist before. */
  | { saved: true; title: string; renamed: Renamed[]; added?: AddedName[] }
  | { saved: false; errors: FieldErrors }
  | { saved: false; conflict: PartConflict<Values> };

/** A typed name that was saved under another one: an alias, or another spelling of a tag. */
export interface Renamed {
  typed: string;
  stored: string;
}

export interface PartConflict<Values> {
  stored: Values;
  /** The version of what is stored now. A form that sends it overwrites that. */
  version: string;
  /** Those that differ. */
  fields: string[];
  /** The last edit of the part; null if there is none. Renaming a tag changes items too, but is no edit of them. */
  edit: { actor: string; at: Date } | null;
}

/** A later expiry date brings an item back online, which is publishing: decision 147. */
export function mayChangeExpiry(actor: Actor, state: MediaState): boolean {
  return mayDo(actor, state === "draft" ? "media.edit" : "media.publish");
}

export function partValues<Name extends PartName>(item: EditedItem, name: Name): PartValues[Name] {
  const sections: readonly SectionName[] = PART_SECTIONS[name];
  const stored: Record<string, object> = valuesOf(item);
  const values = Object.assign({}, ...sections.map((section) => stored[section]));
  return normalizedPart(name, values) as PartValues[Name];
}

type SentPart<Name extends PartName> = Partial<PartValues[Name]>;

function normalizedPart<Name extends PartName>(name: Name, values: SentPart<Name>): SentPart<Name> {
  return Object.assign(
    {},
    ...PART_SECTIONS[name].map((section) => normalized(section, fieldsOf(section, values) as never)),
  );
}

/** `version`: of the values that the form was opened with. When somebody has changed them since, nothing is saved. A field that was not sent stays. */
export async function savePart<Name extends PartName>(
  actor: Actor,
  id: string,
  name: Name,
  version: string,
  sent: SentPart<Name>,
): Promise<SavedPart<PartValues[Name]>> {
  const { shoot }: SentPart<"credits"> = sent;
  const saved = await changeItem(
    actor,
    id,
    (tx, item) => save(tx, actor, item, name, version, normalizedPart(name, sent)),
    { others: shoot ? [shoot] : [] },
  );
  return typeof saved === "string" ? { saved: false, errors: { form: saved } } : saved;
}

async function save<Name extends PartName>(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  name: Name,
  version: string,
  sent: SentPart<Name>,
): Promise<SavedPart<PartValues[Name]>> {
  const stored = partValues(item, name);
  const { wanted, renamed } = await withStoredNames(tx, sent);
  const { shoot: chosen }: SentPart<"credits"> = wanted;
  const joined = chosen === undefined ? { starter: null } : await findShoot(tx, item, chosen);
  const isStale = version !== versionOf(stored);
  // A shoot that somebody else has ended is a conflict.
  if (joined === null && !isStale) return { saved: false, errors: { shoot: "That item no longer exists." } };
  const { starter, ...shoot } = joined ?? { starter: null };
  const changed = changesOf(stored, { ...wanted, ...shoot });
  const fields = Object.keys(changed);
  if (fields.length === 0) return { saved: true, title: item.title, renamed };

  const errors = await problemsOf(tx, actor, item, name, { wanted, fields });
  if (Object.keys(errors).length > 0) return { saved: false, errors };
  if (isStale) {
    const edit = await lastEdit(tx, item.id, Object.keys(stored));
    return { saved: false, conflict: { stored, version: versionOf(stored), fields, edit } };
  }
  const added: AddedName[] = [];
  for (const section of PART_SECTIONS[name]) added.push(...(await write(tx, item, section, changed)));
  if (starter !== null) await writeFields(tx, starter, "shoot", { shoot: changed.shoot as string });
  await recordEdit(tx, actor, item, changed, stored, added);
  if (starter !== null) await recordEdit(tx, actor, starter, { shoot: changed.shoot }, { shoot: null });
  const { title = item.title }: SentPart<"text"> = changed;
  return { saved: true, title, renamed, ...(added.length > 0 && { added }) };
}

/** So that the log has the stored names, and an alias of a name that is already there is no change. */
async function withStoredNames<Values extends object>(tx: Transaction, sent: Values) {
  const { tags, creators }: { tags?: string[]; creators?: string[] } = sent;
  const known = {
    ...(tags && { tags: await storedNames("tag", tags, tx) }),
    ...(creators && { creators: await storedNames("creator", creators, tx) }),
  };
  const pairs = [tags ?? [], creators ?? []].flat().map((typed, index) => ({
    typed,
    stored: [known.tags ?? [], known.creators ?? []].flat()[index] ?? typed,
  }));
  const wanted: Values = Object.assign(
    { ...sent },
    known.tags && normalized("tags", { tags: known.tags }),
    known.creators && normalized("credits", { creators: known.creators }),
  );
  return { wanted, renamed: pairs.filter(({ typed, stored }) => typed !== stored) };
}

/** The shoot of the item that somebody chose, and that item when it has none yet; null when it is gone. */
async function findShoot(
  tx: Transaction,
  item: EditedItem,
  chosen: string | null,
): Promise<{ shoot: string | null; starter: EditedItem | null } | null> {
  if (chosen === null || chosen === item.shootId) return { shoot: chosen, starter: null };
  const target = await resolveShoot(tx, item.id, chosen);
  if (target === null) return null;
  return {
    shoot: target.shootId,
    starter: target.starterId === null ? null : await readItem(tx, target.starterId),
  };
}

export function changesOf(stored: object, wanted: object): Record<string, unknown> {
  const before: Record<string, unknown> = { ...stored };
  return Object.fromEntries(
    Object.entries(wanted).filter(([field, value]) => !isDeepStrictEqual(value, before[field])),
  );
}

/** An editor need not fix what others have stored. */
async function problemsOf<Name extends PartName>(
  tx: Transaction,
  actor: Actor,
  item: EditedItem,
  name: Name,
  { wanted, fields }: { wanted: SentPart<Name>; fields: string[] },
): Promise<FieldErrors> {
  if (fields.includes("expireAt") && !mayChangeExpiry(actor, item.state)) {
    return { expireAt: "Your role does not allow you to change the expiry date." };
  }
  const against = { ...item, today: await readToday(tx) };
  const found = PART_SECTIONS[name].map((section) => errorsOf(section, wanted as never, against));
  return Object.fromEntries(
    Object.entries(Object.assign({}, ...found)).filter(([field]) => fields.includes(field)),
  ) as FieldErrors;
}

async function write(
  tx: Transaction,
  item: EditedItem,
  section: SectionName,
  changed: object,
): Promise<AddedName[]> {
  const own = fieldsOf(section, changed);
  return Object.keys(own).length === 0 ? [] : writeFields(tx, item, section, own);
}

function fieldsOf(section: SectionName, values: object): object {
  const own = Object.keys((SECTIONS[section] as z.ZodObject).shape);
  return Object.fromEntries(Object.entries(values).filter(([field]) => own.includes(field)));
}
