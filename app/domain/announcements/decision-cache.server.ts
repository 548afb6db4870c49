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
  const pending = new Map<string, Promise<unknown>>();
  return { find, findAmong };

  function find(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    return findAmong(key, [key], async () => {
      const value = await read();
      return new Map(value === null ? [] : [[key, value]]);
    });
  }

  /** `read` answers for all of `keys`, with `key` among them; those that it leaves out are null. */
  async function findAmong(
    key: string,
    keys: string[],
    read: () => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Value | null> {
    const known = findKnown(key);
    if (known) return known;
    const running = isUnchangedSince(performance.now(), []) ? pending.get(key) : undefined;
    if (running) {
      await running;
      const found = findKnown(key);
      if (found) return found;
    }
    const reading = readAll(keys, read);
    for (const one of keys) pending.set(one, reading);
    try {
      return (await reading).get(key) ?? null;
    } finally {
      for (const one of keys) if (pending.get(one) === reading) pending.delete(one);
    }
  }

  function findKnown(key: string): Value | null {
    const known = entries.get(key);
    if (known && isUnchangedSince(known.fetchedAt, known.subjects)) return known.value;
    return null;
  }

  async function readAll(keys: string[], read: () => Promise<ReadonlyMap<string, Value>>) {
    const fetchedAt = performance.now();
    const values = await read();
    for (const key of keys) {
      const value = values.get(key);
      if (value === undefined) entries.delete(key);
      else entries.set(key, { fetchedAt, value, subjects: subjectsOf(value) });
    }
    return values;
  }
}
