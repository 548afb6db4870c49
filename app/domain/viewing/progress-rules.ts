import { toPlainWidth, withoutInvisible } from "#app/texts.ts";

/** The rest is mostly credits. */
export const DONE_PART = 0.95;
/** A video counts as seen this close to its end, unless it is so short that this is a good part of it. */
export const DONE_LAST_SECONDS = 20;
export const DONE_LAST_SECONDS_FROM = 120;
/** Progress below the first never replaces progress above the second: the video restarted by mistake. */
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
