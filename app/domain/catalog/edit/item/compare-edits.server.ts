import { isDeepStrictEqual } from "node:util";
import type { FieldValue } from "./sections.ts";

type Fields = Record<string, FieldValue | undefined>;

export interface Conflict {
  field: string;
  /** Null where the other editor's value is none. */
  theirs: FieldValue;
  yours: FieldValue;
}

/**
 * Compares, field by field, the values that a form was opened with, the stored ones and those of the form as it was sent:
 * `changed` are to be stored, and `conflicts` were changed by somebody else as well, to another value.
 */
export function compareEdits(
  opened: Fields,
  stored: Fields,
  sent: Fields,
): { changed: Record<string, FieldValue>; conflicts: Conflict[] } {
  const changed: Record<string, FieldValue> = {};
  const conflicts: Conflict[] = [];
  for (const [field, yours] of Object.entries(sent)) {
    const theirs = stored[field] ?? null;
    if (yours === undefined || isDeepStrictEqual(yours, opened[field]) || isDeepStrictEqual(yours, theirs))
      continue;
    if (isDeepStrictEqual(theirs, opened[field])) changed[field] = yours;
    else conflicts.push({ field, theirs, yours });
  }
  return { changed, conflicts };
}
