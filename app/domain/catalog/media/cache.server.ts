// Needed because visitors make most of the requests; with shared renderings it makes a list 1.0 ms instead of 4.4: decision 146.
import { LRUCache } from "lru-cache";

const MAX_ENTRIES = 500;
/** As JSON; a page of a list takes about 10 KB. */
const MAX_BYTES = 5_000_000;

export function createCache<Value extends object>(lifetimeMs: number, maxBytes = MAX_BYTES) {
  const cache = new LRUCache<string, Value, () => Promise<Value>>({
    max: MAX_ENTRIES,
    maxSize: maxBytes,
    sizeCalculation: (value, key) => Buffer.byteLength(JSON.stringify(value)) + Buffer.byteLength(key),
    ttl: lifetimeMs,
    fetchMethod: (_key, _stale, { context: load }) => load(),
    // Evicted loads still have callers.
    ignoreFetchAbort: true,
  });
  return (key: string, load: () => Promise<Value>): Promise<Value> =>
    cache.forceFetch(key, { context: load });
}

/** Loads at the first call, then every `everyMs`, so that no later caller waits. The next caller retries a failure. */
export function createRefreshed<Value>(everyMs: number, load: () => Promise<Value>): () => Promise<Value> {
  let current: Promise<Value> | null = null;
  let isTimed = false;
  const start = () => {
    const loading = load();
    loading.catch(() => {
      current = null;
    });
    return loading;
  };
  const refresh = () =>
    start().then(
      (value) => {
        current = Promise.resolve(value);
      },
      () => {},
    );
  return () => {
    if (!isTimed) setInterval(refresh, everyMs).unref();
    isTimed = true;
    current ??= start();
    return current;
  };
}

const SIGNED_OUT_LIFETIME_MS = 1_000;

export function createSignedOutCache<Value extends object>() {
  const cached = createCache<Value>(SIGNED_OUT_LIFETIME_MS);
  return (viewer: { user: object | null }, key: unknown[], load: () => Promise<Value>): Promise<Value> =>
    viewer.user === null ? cached(JSON.stringify(key), load) : load();
}
