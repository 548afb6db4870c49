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
  const paths = Array.from({ length: CANDIDATES * LOOKS }, (_, look) =>
    join(folder, `look-${Math.floor(look / LOOKS)}-${look % LOOKS}.png`),
  );
  await takeFrames(video, paths, options);
  const looks: LookedAt[][] = Array.from({ length: CANDIDATES }, () => []);
  for (const [look, path] of paths.entries()) {
    if (existsSync(path)) looks[Math.floor(look / LOOKS)]?.push(await lookAt(path));
  }
  const bright = looks.map((found) => found.filter((looked) => !isBlack(looked)));
  const sharpest = Math.max(...bright.flat().map(({ sharpness }) => sharpness));
  const chosen = bright.flatMap((found) => {
    const [best] = found.toSorted((one, other) => other.sharpness - one.sharpness);
    return best !== undefined && best.sharpness >= sharpest * BLURRED_PART ? [best.path] : [];
  });
  return Promise.all(chosen.map((path) => encodeStill(path, POSTER_LONG_SIDE)));
}

/** Writes no file where the video has no picture. */
async function takeFrames(
  { path, seconds }: PlayableFile,
  targets: string[],
  { signal }: RunOptions,
): Promise<void> {
  const moments = targets.map((_, look) => ((look + 0.5) / targets.length) * seconds);
  // All codecs are open at once, and each of their threads keeps pictures.
  const inputs = moments.flatMap((at) => [
    ...["-threads", "1", "-ss", at.toFixed(3)],
    ...inputArguments(path),
  ]);
  const outputs = targets.flatMap((target, look) => [
    ...["-map", `${look}:v`, "-threads", "1"],
    ...stillOutput(target),
  ]);
  await runFfmpeg([...inputs, ...outputs], seconds, { signal });
}
