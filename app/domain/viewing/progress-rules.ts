import { toPlainWidth, withoutInvisible } from "#app/texts.ts";

/** From this part of its length on, a video is completed: the rest is mostly credits. */
export const COMPLETED_PART = 0.95;
/** It is also completed this close to its end, unless it is short. */
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

const TIME = /^(?:(?:(?<hours>\d{1,2}):)?(?<minutes>\d{1,2}):)?(?<seconds>\d{1,5})$/;

/** "12:40", "1:02:03" or "83" in seconds. Null for anything else, and beyond the end. */
export function parseStoppedAt(text: string, durationSeconds: number): number | null {
  const written = TIME.exec(toPlainWidth(withoutInvisible(text)))?.groups;
  if (!written) return null;
  const hours = Number(written.hours ?? 0);
  const minutes = Number(written.minutes ?? 0);
  const seconds = Number(written.seconds ?? 0);
  if (written.minutes !== undefined && seconds >= 60) return null;
  if (written.hours !== undefined && minutes >= 60) return null;
  const total = hours * 3600 + minutes * 60 + seconds;
  return total <= Math.ceil(durationSeconds) ? total : null;
}
