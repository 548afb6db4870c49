import type { MediaType } from "#app/paths.ts";

export const LENGTHS = ["short", "medium", "long"] as const;
export type Length = (typeof LENGTHS)[number];

/** Seconds of a video or photos of a set. length_band() in the migrations and LENGTH_LABELS repeat them; a test compares. */
export const LENGTH_BANDS: Record<MediaType, readonly [medium: number, long: number]> = {
  video: [300, 1200],
  photoSet: [12, 40],
};
