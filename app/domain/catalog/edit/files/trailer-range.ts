/** A part of a video, in seconds. */
export interface TrailerRange {
  from: number;
  to: number;
}

export const TRAILER_SECONDS = { least: 1, most: 60 };

/** A sentence for each end that is wrong; none for a range that can be a trailer. */
export function rangeProblems(
  { from, to }: TrailerRange,
  videoSeconds: number,
): Partial<Record<keyof TrailerRange, string>> {
  if (from >= videoSeconds) return { from: "The video ends before that." };
  // The length that a page shows is rounded.
  if (to > videoSeconds + 1) return { to: "The video ends before that." };
  const { least, most } = TRAILER_SECONDS;
  if (to - from < least) return { to: "The end has to come after the beginning, by a second at least." };
  return to - from > most ? { to: `A trailer has ${most} seconds at most.` } : {};
}
