/** In seconds; null where the container has none. */
export interface Packet {
  shown: number | null;
  decoded: number | null;
  duration: number | null;
  isKey: boolean;
}

export interface TrackTimes {
  packets: number;
  /** From the first packet to the last, without jumps of the clock. */
  spanSeconds: number;
  coveredSeconds: number;
  endSeconds: number;
  /** Times that browsers play as they are. */
  isOrderly: boolean;
  isReordered: boolean;
}

const MAX_GAP_SECONDS = 1;
/** A longer gap is a jump of the clock, as where recordings were joined. */
const MAX_WAIT_SECONDS = 10;
/** H.264 reorders up to 16 frames. */
const MAX_REORDERED = 32;
const MAX_DELAY_SECONDS = 5;

export function lastEnd(tracks: Map<number, TrackTimes>): number {
  return Math.max(0, ...[...tracks.values()].map(({ endSeconds }) => endSeconds));
}

export function measureTrack({ mayJump }: { mayJump: boolean }) {
  const times: TrackTimes = {
    packets: 0,
    spanSeconds: 0,
    coveredSeconds: 0,
    endSeconds: 0,
    isOrderly: true,
    isReordered: false,
  };
  const recentlyShown: number[] = [];
  let lastDecoded: number | null = null;
  let latestShown = Number.NEGATIVE_INFINITY;
  let length = 0;

  return {
    times,
    add({ shown, decoded, duration, isKey }: Packet): void {
      times.packets += 1;
      // Matroska's first packets have no decoding time.
      const step = decoded === null || lastDecoded === null ? length : decoded - lastDecoded;
      const isJump = step < 0 || (mayJump && step > MAX_WAIT_SECONDS);
      if (times.packets > 1) advance(isJump ? length : step);
      if (step > 0 && !isJump) length = step;
      if (duration !== null && duration > 0) length = duration;
      if (shown === null || (times.packets === 1 && !isKey) || !fits(shown, decoded)) times.isOrderly = false;
      if (decoded !== null && lastDecoded !== null && decoded <= lastDecoded) times.isOrderly = false;
      if (shown !== null && shown < latestShown) times.isReordered = true;
      latestShown = Math.max(latestShown, shown ?? latestShown);
      lastDecoded = decoded ?? lastDecoded;
      times.endSeconds = Math.max(times.endSeconds, (shown ?? decoded ?? 0) + length);
    },
    end(): TrackTimes {
      if (times.packets > 0) advance(length);
      return times;
    },
  };

  function advance(seconds: number): void {
    times.spanSeconds += seconds;
    times.coveredSeconds += Math.min(seconds, MAX_GAP_SECONDS);
  }

  function fits(shown: number, decoded: number | null): boolean {
    const isNew = !recentlyShown.includes(shown);
    recentlyShown.push(shown);
    if (recentlyShown.length > MAX_REORDERED) recentlyShown.shift();
    return isNew && (decoded === null || (shown >= decoded && shown - decoded <= MAX_DELAY_SECONDS));
  }
}
