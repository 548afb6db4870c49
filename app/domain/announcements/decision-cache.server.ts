// Needed because without it each of the 24 covers of a visit costs one or two more statements: decisions 101 and 146.
import { LRUCache } from "lru-cache";
import { ACCESS_MAX_AGE_MS, SEGMENT_ACCESS_MAX_AGE_MS } from "#app/domain/access/access.ts";
import { isUnchangedSince, type Subject } from "#app/domain/announcements/listen.server.ts";

const MAX_ENTRIES = 20_000;

interface Entry<Value> {
  fetchedAt: number;
  value: Value;
  subjects: Subject[];
}

export function createDecisionCache<Value extends object>(subjectsOf: (value: Value) => Subject[]) {
  const entries = new LRUCache<string, Entry<Value>>({ max: MAX_ENTRIES, ttl: SEGMENT_ACCESS_MAX_AGE_MS });
  return async (
    key: string,
    read: () => Promise<Value | null>,
    maxAgeMs = ACCESS_MAX_AGE_MS,
  ): Promise<Value | null> => {
    const cached = entries.get(key);
    const isRecent = cached && performance.now() - cached.fetchedAt < maxAgeMs;
    if (isRecent && isUnchangedSince(cached.fetchedAt, cached.subjects)) return cached.value;
    const fetchedAt = performance.now();
    const value = await read();
    if (value === null) entries.delete(key);
    else entries.set(key, { fetchedAt, value, subjects: subjectsOf(value) });
    return value;
  };
}
