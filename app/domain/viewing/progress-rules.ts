import { toPlainWidth, withoutInvisible } from "#app/texts.ts";

/** From this part of its length on, a video is completed: the rest is mostly credits. */
export const DONE_PART = 0.95;
/** It is also completed this close to its end, unless it is short. */
export const DONE_LAST_SECONDS = 20;
/** In a shorter video, the last 20 seconds would be a good part of it. */
export const DONE_LAST_SECONDS_FROM = 120;
/** Progress before EARLY_SECONDS does not replace progress past KEPT_SECONDS: such a video was restarted by mistake. */
export const EARLY_SECONDS = 10;
export const KEPT_SECONDS = 30;

export function resumeAt(saved: { progress: number; isCompleted: boolean } | null): number | null {
  if (saved === null || saved.isCompleted || saved.progress <= 0) return null;
  return Math.floor(saved.progress);
}

/** "12:40", "1:02:03" or "83" in seconds. Null for anything else, and beyond the end. */
export function parseStoppedAt(text: string, durationSeconds: number): number | null {
  const parts = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})$/.exec(toPlainWidth(withoutInvisible(text)));
  if (!parts) return null;
  const [, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  if (parts[2] !== undefined && (seconds ?? 0) >= 60) return null;
  if (parts[1] !== undefined && (minutes ?? 0) >= 60) return null;
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  return total <= Math.ceil(durationSeconds) ? total : null;
}
