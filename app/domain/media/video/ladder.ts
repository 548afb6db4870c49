import { sizeOf } from "../renditions.ts";
import { LARGEST_DOWNLOAD, scaled, sizesBelow } from "./renditions-plan.ts";

/** All rungs have the same key frames, so that a player can switch anywhere. */
export interface Rung {
  size: number;
  width: number;
  height: number;
  crf: number;
  /** Average bits per second of the picture. */
  ceiling: number;
  /** Seconds at the ceiling that the decoder's buffer holds. */
  buffer: number;
  audioBits: number;
}

/** A size in between has the ceiling of the next one above. */
const USUAL = [
  { size: 2160, crf: 22, ceiling: 16_000_000, buffer: 0.5, audioBits: 160_000 },
  { size: 1440, crf: 22, ceiling: 9_000_000, buffer: 1, audioBits: 160_000 },
  { size: 1080, crf: 22, ceiling: 5_500_000, buffer: 1, audioBits: 160_000 },
  { size: 720, crf: 21, ceiling: 3_000_000, buffer: 1, audioBits: 160_000 },
  { size: 480, crf: 21, ceiling: 1_600_000, buffer: 1, audioBits: 96_000 },
  { size: 360, crf: 21, ceiling: 900_000, buffer: 1, audioBits: 96_000 },
];
export const SEPARATE_AUDIO_BITS = 160_000;
/** hls.js appends a whole segment at once, and the site takes a request of up to this size for a segment. */
export const MAX_SEGMENT_BYTES = 8 * 1024 ** 2;
const MAX_SEGMENT_SECONDS = 4;
const USUAL_SEGMENT_SECONDS = 3;
/** Four seconds at the highest ceiling would be more than players take at once. */
const MAX_LARGE_SEGMENT_SECONDS = 3.5;
const LARGE_CEILING = 10_000_000;
const LARGE = 2160;
/** Level 5.2 of H.264; few devices decode more. */
const MAX_PIXELS = 36_864 * 256;

export function planLadder({ width, height }: { width: number; height: number }): Rung[] {
  const short = sizeOf({ width, height });
  const sizes = USUAL.map(({ size }) => size);
  const best = bestSize({ width, height });
  return [best, ...sizesBelow(best, sizes)]
    .map((size) => ({ ...limitsOf(size), ...scaled(width, height, size / short) }))
    .map((rung) => ({ ...rung, size: sizeOf(rung) }));
}

/** Any connection can play one of these, so they are made before larger ones. */
const LARGEST_FIRST_SIZE = 720;
/** The most that a killed worker loses, and the longest that the first sizes wait for each other. */
const MOST_PASS_SECONDS = 900;
/** Of all sizes together, on two processors. */
const PIXELS_PER_SECOND = 100_000_000;

export function isFirstSize(size: number): boolean {
  return size <= LARGEST_FIRST_SIZE;
}

/** Whether one ffmpeg may make all of these sizes: decision 214. */
export function isOnePass(rungs: readonly Rung[], frames: number): boolean {
  return (pixelsOf(rungs) * frames) / PIXELS_PER_SECOND <= MOST_PASS_SECONDS;
}

export function pixelsOf(rungs: readonly Rung[]): number {
  return rungs.reduce((sum, { width, height }) => sum + width * height, 0);
}

export function limitsOf(size: number) {
  const limits = USUAL.findLast((usual) => usual.size >= size) ?? USUAL[0];
  if (limits === undefined) throw new Error("no size is usual");
  return limits;
}

/** The largest download is remuxed from its rung, so a size just above it must not replace that rung. */
function bestSize({ width, height }: { width: number; height: number }): number {
  const short = sizeOf({ width, height });
  if (short <= LARGEST_DOWNLOAD) return short;
  const fits = (size: number) =>
    size <= short &&
    sizesBelow(size, [LARGEST_DOWNLOAD]).length > 0 &&
    (size / short) ** 2 * width * height <= MAX_PIXELS;
  return [Math.min(short, LARGE), 1440].find(fits) ?? LARGEST_DOWNLOAD;
}

export function countSegments({
  seconds,
  ...size
}: {
  seconds: number;
  width: number;
  height: number;
}): number {
  const isLarge = planLadder(size).some(({ ceiling }) => ceiling > LARGE_CEILING);
  const fewest = Math.ceil(seconds / (isLarge ? MAX_LARGE_SEGMENT_SECONDS : MAX_SEGMENT_SECONDS));
  return Math.max(1, fewest, Math.round(seconds / USUAL_SEGMENT_SECONDS));
}
