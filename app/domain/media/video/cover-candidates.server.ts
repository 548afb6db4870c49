import { existsSync } from "node:fs";
import { join } from "node:path";
import { POSTER_LONG_SIDE } from "../renditions.ts";
import { type PlayableFile, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments } from "./probe.server.ts";
import { encodeStill, isBlack, type LookedAt, lookAt, type Still, stillOutput } from "./stills.server.ts";

const CANDIDATES = 6;
const LOOKS = 3;
const BLURRED_PART = 0.25;

export async function makeCandidates(
  folder: string,
  video: PlayableFile,
  options: RunOptions,
): Promise<Still[]> {
  const looks: LookedAt[][] = [];
  for (let part = 0; part < CANDIDATES; part += 1) {
    const found: LookedAt[] = [];
    for (let look = 0; look < LOOKS; look += 1) {
      const at = ((part + (look + 0.5) / LOOKS) / CANDIDATES) * video.seconds;
      const path = join(folder, `look-${part}-${look}.png`);
      await takeFrame(video, at, path, options);
      if (existsSync(path)) found.push(await lookAt(path));
    }
    looks.push(found);
    options.onProgress?.((part + 1) / CANDIDATES);
  }
  const bright = looks.map((found) => found.filter((looked) => !isBlack(looked)));
  const sharpest = Math.max(...bright.flat().map(({ sharpness }) => sharpness));
  const chosen = bright.flatMap((found) => {
    const [best] = found.toSorted((one, other) => other.sharpness - one.sharpness);
    return best !== undefined && best.sharpness >= sharpest * BLURRED_PART ? [best.path] : [];
  });
  return Promise.all(chosen.map((path) => encodeStill(path, POSTER_LONG_SIDE)));
}

async function takeFrame(
  { path, seconds }: PlayableFile,
  at: number,
  target: string,
  { signal }: RunOptions,
) {
  await runFfmpeg(["-ss", at.toFixed(3), ...inputArguments(path), ...stillOutput(target)], seconds, {
    signal,
  });
}
