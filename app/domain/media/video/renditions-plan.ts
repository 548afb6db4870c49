import { sizeOf } from "../renditions.ts";

export interface PlannedVideo {
  width: number;
  height: number;
  isCopy: boolean;
}

const DOWNLOAD_SIZES = [1080, 720, 360];
export const LARGEST_DOWNLOAD = Math.max(...DOWNLOAD_SIZES);
const MAX_COPIED_BITS_PER_SECOND = 12_000_000;
/** A size just below another would cost an encoding and look the same. */
const SMALLEST_STEP = 0.85;

/** Best first. No size exceeds the original; a playable original up to 1080p is kept. */
export function planVideos({
  width,
  height,
  isPlayable,
}: {
  width: number;
  height: number;
  isPlayable: boolean;
}): PlannedVideo[] {
  const short = sizeOf({ width, height });
  const best = Math.min(short, LARGEST_DOWNLOAD);
  const lower = sizesBelow(best, DOWNLOAD_SIZES);
  const encoded = (size: number): PlannedVideo => ({ ...scaled(width, height, size / short), isCopy: false });
  const isKept = isPlayable && mayKeepSize({ width, height });
  return [isKept ? { width, height, isCopy: true } : encoded(best), ...lower.map(encoded)];
}

/** The file that is ready first: a playable original, or else the smallest size. */
export function planFirst(video: { width: number; height: number; isPlayable: boolean }): PlannedVideo {
  const plan = planVideos(video);
  const chosen = plan[0]?.isCopy ? plan[0] : plan.at(-1);
  if (chosen === undefined) throw new Error("no size was planned");
  return chosen;
}

/** A higher rate is too much for most connections. */
export function mayKeepRate({ bytes, seconds }: { bytes: number; seconds: number }): boolean {
  return (bytes * 8) / seconds <= MAX_COPIED_BITS_PER_SECOND;
}

export function mayKeepSize({ width, height }: { width: number; height: number }): boolean {
  return sizeOf({ width, height }) <= LARGEST_DOWNLOAD;
}

export function sizesBelow(best: number, usual: readonly number[]): number[] {
  return usual.filter((size) => size <= best * SMALLEST_STEP);
}

export function scaled(width: number, height: number, factor: number) {
  const even = (length: number) => Math.max(2, Math.round((length * factor) / 2) * 2);
  return { width: even(width), height: even(height) };
}
