/** Not longer, because access, progress and favorites may change. */
const FRESH_MS = 10_000;

interface Begun<Loaded> {
  address: string;
  at: number;
  hasFailed: boolean;
  found: Promise<Loaded>;
}

/** A click uses what the pointer has prefetched if it is fresh and has not failed. */
export function createPrefetch<Loaded>(load: (address: string) => Promise<Loaded>) {
  let latest: Begun<Loaded> | null = null;
  const fresh = (address: string) =>
    latest?.address === address && performance.now() - latest.at < FRESH_MS ? latest : null;
  const start = (address: string) => {
    const begun: Begun<Loaded> = { address, at: performance.now(), hasFailed: false, found: load(address) };
    begun.found.catch(() => {
      begun.hasFailed = true;
    });
    latest = begun;
    return begun;
  };
  return {
    /** A pointer crosses many links, so a failure is not retried at each. */
    begin(address: string): void {
      if (!fresh(address)) start(address);
    },
    get(address: string): Promise<Loaded> {
      const begun = fresh(address);
      return (begun && !begun.hasFailed ? begun : start(address)).found;
    },
    forget(): void {
      latest = null;
    },
  };
}
