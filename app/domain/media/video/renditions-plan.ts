export interface PlannedVideo {
  width: number;
  height: number;
  isCopy: boolean;
}

/** The shorter side, as in "720p". */
const RUNGS = [1080, 720, 360];
const LARGEST = Math.max(...RUNGS);
/** A size just below another costs an encoding and shows no difference. */
const SMALLEST_STEP = 0.85;

/**
 * Best first: the original's own size up to 1080p, and the usual sizes below it. Never larger than the original; a
 * playable original up to 1080p is kept as it is.
 */
export function planVideos({
  width,
  height,
  isPlayable,
}: {
  width: number;
  height: number;
  isPlayable: boolean;
}): PlannedVideo[] {
  const short = Math.min(width, height);
  const best = Math.min(short, LARGEST);
  const lower = RUNGS.filter((rung) => rung <= best * SMALLEST_STEP);
  const encoded = (rung: number): PlannedVideo => ({ ...scaled(width, height, rung / short), isCopy: false });
  const isKept = isPlayable && mayKeepSize({ width, height });
  return [isKept ? { width, height, isCopy: true } : encoded(best), ...lower.map(encoded)];
}

export function mayKeepSize({ width, height }: { width: number; height: number }): boolean {
  return Math.min(width, height) <= LARGEST;
}

function scaled(width: number, height: number, factor: number) {
  const even = (length: number) => Math.max(2, Math.round((length * factor) / 2) * 2);
  return { width: even(width), height: even(height) };
}
