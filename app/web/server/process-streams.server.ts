/** Concurrent videos per process. Each holds an open file and up to some hundred KB of buffers. */
export const MAX_STREAMS = 500;
/** The remaining slots are reserved for members. */
export const MAX_SIGNED_OUT_STREAMS = 250;

let running = 0;
let runningSignedOut = 0;

export function countStream({ isSignedIn }: { isSignedIn: boolean }): (() => void) | null {
  if (running >= MAX_STREAMS) return null;
  if (!isSignedIn && runningSignedOut >= MAX_SIGNED_OUT_STREAMS) return null;
  running += 1;
  if (!isSignedIn) runningSignedOut += 1;
  let hasEnded = false;
  return () => {
    if (hasEnded) return;
    hasEnded = true;
    running -= 1;
    if (!isSignedIn) runningSignedOut -= 1;
  };
}

interface OpenStream {
  renewedAt: number;
  close: () => void;
}

const openByHolder = new Map<string, Set<OpenStream>>();

/** A stalled stream loses its slot in Postgres but not its file, so a new one closes the one stalled longest. */
export function trackStream(
  { id, maxStreams }: { id: string; maxStreams: number },
  close: () => void,
): { renew: () => void; end: () => void } {
  const streams = openByHolder.get(id) ?? new Set();
  openByHolder.set(id, streams);
  if (streams.size >= maxStreams) closeLongestStalled(streams);
  const stream = { renewedAt: performance.now(), close };
  streams.add(stream);
  return {
    renew: () => {
      stream.renewedAt = performance.now();
    },
    end: () => {
      streams.delete(stream);
      if (streams.size === 0 && openByHolder.get(id) === streams) openByHolder.delete(id);
    },
  };
}

/** Leaves the set at once: a response ends later, and the next stream must close another. */
function closeLongestStalled(streams: Set<OpenStream>): void {
  const [longest] = [...streams].sort((a, b) => a.renewedAt - b.renewedAt);
  if (longest === undefined) return;
  streams.delete(longest);
  longest.close();
}
