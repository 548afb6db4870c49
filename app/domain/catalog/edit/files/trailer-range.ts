import { count } from "#app/counts.ts";

/** Seconds. */
export interface TrailerRange {
  from: number;
  to: number;
}

export const TRAILER_SECONDS = { least: 1, most: 60 };

export function rangeErrors(
  { from, to }: TrailerRange,
  videoSeconds: number,
): Partial<Record<keyof TrailerRange, string>> {
  if (from >= videoSeconds) return { from: "The video ends before that." };
  // Pages show a rounded length.
  if (to > videoSeconds + 1) return { to: "The video ends before that." };
  const { least, most } = TRAILER_SECONDS;
  if (to - from < least) return { to: `The end must be at least ${count(least, "second")} after the start.` };
  return to - from > most ? { to: `A trailer can be up to ${most} seconds long.` } : {};
}
