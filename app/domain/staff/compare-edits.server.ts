import { isDeepStrictEqual } from "node:util";

export interface Conflict<Value> {
  field: string;
  /** Null where the other editor's value is none. */
  theirs: Value | null;
  yours: Value;
}

/**
 * Compares, field by field, the values that a form was opened with, the stored ones and those of the form as it was sent:
 * `changed` are to be stored, and `conflicts` were changed by somebody else as well, to another value.
 */
export function compareEdits<Value>(
  opened: Record<string, Value | undefined>,
  stored: Record<string, Value | undefined>,
  sent: Record<string, Value | undefined>,
): { changed: Record<string, Value>; conflicts: Conflict<Value>[] } {
  const changed: Record<string, Value> = {};
  const conflicts: Conflict<Value>[] = [];
  for (const [field, yours] of Object.entries(sent)) {
    const theirs = stored[field] ?? null;
    if (yours === undefined || isDeepStrictEqual(yours, opened[field]) || isDeepStrictEqual(yours, theirs))
      continue;
    if (isDeepStrictEqual(theirs, opened[field])) changed[field] = yours;
    else conflicts.push({ field, theirs, yours });
  }
  return { changed, conflicts };
}
