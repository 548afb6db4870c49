import sharp from "sharp";
import { openPicture } from "../picture.server.ts";
import { encode } from "../pixels.server.ts";

/** Players show a video's values as sRGB. A PNG with any other colors would be converted like a photo. */
export const AS_SRGB = "setparams=color_primaries=bt709:color_trc=iec61966-2-1";

export function stillOutput(target: string, filters: string[] = []): string[] {
  const output = ["-an", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-y", `file:${target}`];
  return ["-vf", [...filters, AS_SRGB].join(","), ...output];
}

export interface LookedAt {
  path: string;
  mean: number;
  deviation: number;
  sharpness: number;
}

export async function lookAt(path: string): Promise<LookedAt> {
  const { channels, sharpness } = await sharp(path).stats();
  const most = (values: number[]) => Math.max(...values);
  return {
    path,
    mean: most(channels.map(({ mean }) => mean)),
    deviation: most(channels.map(({ stdev }) => stdev)),
    sharpness,
  };
}

/** Of 255. Even a title in a dark room is brighter somewhere. */
const BLACK = { mean: 16, deviation: 8 };

export function isBlack({ mean, deviation }: LookedAt): boolean {
  return mean <= BLACK.mean && deviation <= BLACK.deviation;
}

export interface Still {
  data: Buffer;
  width: number;
  height: number;
}

/** As WebP. `maxSide`: pixels; null keeps the size. */
export async function encodeStill(path: string, maxSide: number | null): Promise<Still> {
  const { pixels } = await openPicture(path);
  const part = maxSide === null ? 1 : Math.min(1, maxSide / Math.max(pixels.width, pixels.height));
  return encode(pixels, Math.max(1, Math.round(pixels.width * part)), "webp");
}
