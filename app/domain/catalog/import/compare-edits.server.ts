import { isDeepStrictEqual } from "node:util";

export interface Conflict<Value> {
  field: string;
  theirs: Value | null;
  yours: Value;
}

/** `changed` are to be stored; `conflicts` were also changed by somebody else, to another value. */
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
