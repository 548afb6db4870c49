/** A part as good as the whole: what follows is mostly credits. */
export const DONE_PART = 0.95;
/** So near the end a film counts as seen, unless it is so short that this would be a good part of it. */
export const DONE_LAST_SECONDS = 20;
export const DONE_LAST_SECONDS_FROM = 120;
/** A place before the first never replaces one past the second: the film began anew by mistake. */
export const EARLY_SECONDS = 10;
export const KEPT_SECONDS = 30;

/** Where somebody stopped: seconds of a film, number of a photo. Null means "from the beginning". */
export function resumeAt(place: { progress: number; isCompleted: boolean } | null): number | null {
  if (place === null || place.isCompleted || place.progress <= 0) return null;
  return Math.floor(place.progress);
}

/** "12:40", "1:02:03" or "83" in seconds. Null for anything else, and for what lies behind the end. */
export function parseStoppedAt(text: string, durationSeconds: number): number | null {
  const parts = /^(?:(?:(\d{1,2}):)?(\d{1,2}):)?(\d{1,5})$/.exec(text.trim());
  if (!parts) return null;
  const [, hours, minutes, seconds] = parts.map((part) => Number(part ?? 0));
  if (parts[2] !== undefined && (seconds ?? 0) >= 60) return null;
  if (parts[1] !== undefined && (minutes ?? 0) >= 60) return null;
  const total = (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0);
  return total <= Math.ceil(durationSeconds) ? total : null;
}
