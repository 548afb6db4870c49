import { LRUCache } from "lru-cache";
import { isUnchangedSince, type Subject } from "#db/changes/announced-changes.server.ts";

/** Half of the ten seconds for which bytes may outlive their access. */
const KEPT_MS = 5_000;
const MAX_ENTRIES = 20_000;

interface Entry<Value> {
  readAt: number;
  value: Value;
  subjects: Subject[];
}

/**
 * Remembers what `read` returned until the database announces a change of its subjects, and for five seconds at most.
 * Null is not remembered.
 */
export function remembered<Value extends object>(subjectsOf: (value: Value) => Subject[]) {
  const entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES, ttl: KEPT_MS });
  return async (key: string, read: () => Promise<Value | null>): Promise<Value | null> => {
    const known = entries.get(key);
    if (known && isUnchangedSince(known.readAt, known.subjects)) return known.value;
    const readAt = performance.now();
    const value = await read();
    if (value === null) entries.delete(key);
    else entries.set(key, { readAt, value, subjects: subjectsOf(value) });
    return value;
  };
}
