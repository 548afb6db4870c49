import { LARGEST_DOWNLOAD, scaled, sizesBelow } from "./renditions-plan.ts";

/** A size of the ladder: all of them have the same key frames, so that a player changes between them anywhere. */
export interface Rung {
  /** The shorter side, as in "720p". */
  quality: number;
  width: number;
  height: number;
  /** An option of x264. */
  crf: number;
  /** Bits per second of the picture, on average. */
  ceiling: number;
  /** Seconds for which the picture may take the ceiling once more. */
  buffer: number;
  /** Bits per second. */
  sound: number;
}

/** The usual sizes with what they may take. A size between them has the ceiling of the next one above. */
const USUAL = [
  { quality: 2160, crf: 22, ceiling: 16_000_000, buffer: 0.5, sound: 160_000 },
  { quality: 1440, crf: 22, ceiling: 9_000_000, buffer: 1, sound: 160_000 },
  { quality: 1080, crf: 22, ceiling: 5_500_000, buffer: 1, sound: 160_000 },
  { quality: 720, crf: 21, ceiling: 3_000_000, buffer: 1, sound: 160_000 },
  { quality: 480, crf: 21, ceiling: 1_600_000, buffer: 1, sound: 96_000 },
  { quality: 360, crf: 21, ceiling: 900_000, buffer: 1, sound: 96_000 },
];
/** A separate sound belongs to all sizes. */
export const SEPARATE_SOUND = 160_000;
const MAX_SEGMENT_SECONDS = 4;
const USUAL_SEGMENT_SECONDS = 3;
/** Four seconds at the highest ceiling would be larger than players take at once. */
const MAX_LARGE_SEGMENT_SECONDS = 3.5;
const LARGE_CEILING = 10_000_000;
const LARGE = 2160;
/** The largest picture of level 5.2 of H.264; few devices decode a larger one. */
const MAX_PIXELS = 36_864 * 256;

/** The source's own size up to 2160p, then the usual ones below it. */
export function planLadder({ width, height }: { width: number; height: number }): Rung[] {
  const short = Math.min(width, height);
  const sizes = USUAL.map(({ quality }) => quality);
  const best = bestSize({ width, height });
  return [best, ...sizesBelow(best, sizes)]
    .map((quality) => {
      const limits = USUAL.findLast((usual) => usual.quality >= quality) ?? USUAL[0];
      if (limits === undefined) throw new Error("no size is usual");
      return { ...limits, ...scaled(width, height, quality / short) };
    })
    .map((rung) => ({ ...rung, quality: Math.min(rung.width, rung.height) }));
}

/** One above the largest download must not push that out, because it is remuxed from its rung. */
function bestSize({ width, height }: { width: number; height: number }): number {
  const short = Math.min(width, height);
  if (short <= LARGEST_DOWNLOAD) return short;
  const fits = (size: number) =>
    size <= short &&
    sizesBelow(size, [LARGEST_DOWNLOAD]).length > 0 &&
    (size / short) ** 2 * width * height <= MAX_PIXELS;
  return [Math.min(short, LARGE), 1440].find(fits) ?? LARGEST_DOWNLOAD;
}

/** Segments of two to four seconds, all of them equally long but for rounding to pictures. */
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
