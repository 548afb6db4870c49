import { parseClockTime } from "#app/clock-times.ts";

/** From this part of its length on, a video is completed: the rest is mostly credits. */
export const COMPLETED_PART = 0.95;
export const COMPLETED_LAST_SECONDS = 20;
/** In a shorter video, the last 20 seconds would be a good part of it. */
export const COMPLETED_LAST_FROM_SECONDS = 120;
/** Progress before EARLY_SECONDS does not replace progress past KEPT_SECONDS: such a video was restarted by mistake. */
export const EARLY_SECONDS = 10;
export const KEPT_SECONDS = 30;

/** `photoCount`: of a set, which may have lost photos since. */
export function resumePoint(
  saved: { progress: number; isCompleted: boolean } | null,
  photoCount: number | null = null,
): number | null {
  if (saved === null || saved.isCompleted) return null;
  const point = Math.floor(Math.min(saved.progress, photoCount ?? saved.progress));
  return point > 0 ? point : null;
}

export function parseStoppedAt(text: string, durationSeconds: number): number | null {
  const seconds = parseClockTime(text);
  if (seconds === null || !Number.isInteger(seconds)) return null;
  return seconds <= Math.ceil(durationSeconds) ? seconds : null;
}
