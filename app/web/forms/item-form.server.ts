import type { FieldValue } from "#app/domain/catalog/edit/item/sections.ts";
import type { Conflict } from "#app/domain/staff/compare-edits.server.ts";

/** After a conflict, `opened` holds the other version. */
export function pick<Values extends object>(opened: Values, names: FormDataEntryValue[]): Partial<Values> {
  const picked = Object.entries(opened).filter(([name]) => names.includes(name));
  return Object.fromEntries(picked) as Partial<Values>;
}

/** The next save is compared with these. */
export function storedIn(conflicts: Conflict<FieldValue>[]): Record<string, unknown> {
  return Object.fromEntries(conflicts.map(({ field: name, theirs }) => [name, theirs]));
}
