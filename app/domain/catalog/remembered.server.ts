const REMEMBERED_LIMIT = 500;

/** Answers from memory for `lifetimeMs`; askers at the same moment share one load, and a failure is not kept. */
export function remembered<Value>(lifetimeMs: number) {
  const known = new Map<string, { until: number; value: Promise<Value> }>();
  return (key: string, load: () => Promise<Value>): Promise<Value> => {
    const found = known.get(key);
    if (found && found.until > Date.now()) return found.value;
    known.delete(key);
    const value = load();
    known.set(key, { until: Date.now() + lifetimeMs, value });
    value.catch(() => known.get(key)?.value === value && known.delete(key));
    if (known.size > REMEMBERED_LIMIT) known.delete(known.keys().next().value ?? "");
    return value;
  };
}
