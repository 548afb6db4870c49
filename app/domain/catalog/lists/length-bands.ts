import type { MediaType } from "#app/paths.ts";

export const LENGTHS = ["short", "medium", "long"] as const;
export type Length = (typeof LENGTHS)[number];

/**
 * Seconds of a video or photos of a set: below the first is short, from the second on is long. length_band() in the
 * migrations and LENGTH_NAMES in ui/catalog/filter-names.ts repeat them, and length-bands.test.ts holds all three equal.
 */
export const LENGTH_BANDS: Record<MediaType, readonly [medium: number, long: number]> = {
  video: [300, 1200],
  photoSet: [12, 40],
};
