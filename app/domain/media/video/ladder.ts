import { scaled, sizesBelow } from "./renditions-plan.ts";

/** A size of the ladder: all of them have the same key frames, so that a player changes between them anywhere. */
export interface Rung {
  /** The shorter side, as in "720p". */
  quality: number;
  width: number;
  height: number;
  /** An option of x264. */
  crf: number;
  /** Bits per second of the picture, for one second and on average. */
  ceiling: number;
  /** Bits per second. */
  sound: number;
}

/** The usual sizes with what they may take. A size between them has the ceiling of the next one above. */
const USUAL = [
  { quality: 1080, crf: 22, ceiling: 5_500_000, sound: 160_000 },
  { quality: 720, crf: 21, ceiling: 3_000_000, sound: 160_000 },
  { quality: 480, crf: 21, ceiling: 1_600_000, sound: 96_000 },
  { quality: 360, crf: 21, ceiling: 900_000, sound: 96_000 },
];
const MAX_SEGMENT_SECONDS = 4;
const USUAL_SEGMENT_SECONDS = 3;

/** The source's own size up to 1080p, then the usual ones below it. */
export function planLadder({ width, height }: { width: number; height: number }): Rung[] {
  const short = Math.min(width, height);
  const sizes = USUAL.map(({ quality }) => quality);
  const best = Math.min(short, Math.max(...sizes));
  return [best, ...sizesBelow(best, sizes)]
    .map((quality) => {
      const limits = USUAL.findLast((usual) => usual.quality >= quality) ?? USUAL[0];
      if (limits === undefined) throw new Error("no size is usual");
      return { ...limits, ...scaled(width, height, quality / short) };
    })
    .map((rung) => ({ ...rung, quality: Math.min(rung.width, rung.height) }));
}

/** All segments but for rounding to frames last this long: 2 to 4 seconds, also the last one. */
export function segmentSeconds(seconds: number): number {
  const fewest = Math.ceil(seconds / MAX_SEGMENT_SECONDS);
  return seconds / Math.max(1, fewest, Math.round(seconds / USUAL_SEGMENT_SECONDS));
}
