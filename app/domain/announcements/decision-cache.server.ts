// Needed because each of a visit's 24 covers took one or two statements more: decisions 101 and 146.
import { LRUCache } from "lru-cache";
import { ACCESS_KEPT_MS } from "#app/domain/access/access.ts";
import { isUnchangedSince, type Subject } from "#app/domain/announcements/hear-announcements.server.ts";

const MAX_ENTRIES = 20_000;

interface Entry<Value> {
  fetchedAt: number;
  value: Value;
  subjects: Subject[];
}

/** Caches what is not null until the database announces a change of its subjects, and ACCESS_KEPT_MS at most. */
export function createDecisionCache<Value extends object>(subjectsOf: (value: Value) => Subject[]) {
  const entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES, ttl: ACCESS_KEPT_MS });
  return async (key: string, read: () => Promise<Value | null>): Promise<Value | null> => {
    const known = entries.get(key);
    if (known && isUnchangedSince(known.fetchedAt, known.subjects)) return known.value;
    const fetchedAt = performance.now();
    const value = await read();
    if (value === null) entries.delete(key);
    else entries.set(key, { fetchedAt, value, subjects: subjectsOf(value) });
    return value;
  };
}
