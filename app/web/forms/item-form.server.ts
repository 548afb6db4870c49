import { saveSection } from "#app/domain/catalog/edit/item/edit-media.server.ts";
import {
  FORM_SECTIONS,
  type FormSectionName,
  fieldsOf,
  type SectionFields,
  valuesIn,
} from "#app/domain/catalog/edit/item/section-fields.ts";
import type { FieldValue, SectionValues } from "#app/domain/catalog/edit/item/sections.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { field, readIntent } from "./form-body.server.ts";
import { readFields, readOpened, type SectionAnswer } from "./section-form.server.ts";

const STEPS = ["row"] as const;

export type ItemSectionAnswer<Name extends FormSectionName = FormSectionName> = SectionAnswer<
  Name,
  (typeof STEPS)[number],
  SectionValues[Name],
  SectionFields[Name]
>;

export type SectionOutcome = "incomplete" | "saved" | ItemSectionAnswer;

export function sectionIn(form: FormData): FormSectionName | null {
  return FORM_SECTIONS.find((name) => name === field(form, "section")) ?? null;
}

export async function answerSection<Name extends FormSectionName>(
  actor: Actor,
  id: string,
  name: Name,
  form: FormData,
): Promise<SectionOutcome> {
  const opened = readOpened(name, form);
  if (opened === null) return "incomplete";
  const fields = readFields(name, form);
  const step = readIntent(form, STEPS);
  const answer = { section: name, opened, fields, errors: {}, conflicts: [] };
  if (step !== null) return { ...answer, step };

  const wanted = { ...valuesIn(name, fields), ...pick(opened, form.getAll("theirs")) };
  const result = await saveSection(actor, id, name, opened, wanted);
  if (result.saved) return "saved";
  if ("errors" in result) return { ...answer, step: "save", errors: result.errors };
  return {
    ...answer,
    step: "save",
    opened: { ...opened, ...storedIn(result.conflicts) } as SectionValues[Name],
    conflicts: result.conflicts,
  };
}

export function repeatSection<Name extends FormSectionName>(
  name: Name,
  form: FormData,
): ItemSectionAnswer<Name> | null {
  const opened = readOpened(name, form);
  if (opened === null) return null;
  const typed = readFields(name, form);
  const theirs = pick(opened, form.getAll("theirs"));
  // The other version of a conflict is not shown again, so a ticked one becomes the field's value.
  const fields =
    Object.keys(theirs).length === 0 ? typed : fieldsOf(name, { ...valuesIn(name, typed), ...theirs });
  return { section: name, step: "confirm", opened, fields, errors: {}, conflicts: [] };
}

/** After a conflict, `opened` holds the other version. */
export function pick<Values extends object>(opened: Values, names: FormDataEntryValue[]): Partial<Values> {
  const picked = Object.entries(opened).filter(([name]) => names.includes(name));
  return Object.fromEntries(picked) as Partial<Values>;
}

/** The next save is compared with these. */
export function storedIn(conflicts: Conflict<FieldValue>[]): Record<string, unknown> {
  return Object.fromEntries(conflicts.map(({ field: name, theirs }) => [name, theirs]));
}
