import { audioInput } from "./audio-input.ts";
import { type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import type { InspectedVideo } from "./inspect.server.ts";

/** LUFS, of a whole video. */
const TARGET = -16;
const SILENCE = -60;
/** The limiter softens loud moments, so measuring through it corrects the gain. */
const CORRECTIONS = 2;
const NEAR_ENOUGH = 0.3;
/** Of full scale. Leaves 1.5 dB for what an encoder adds. */
const LIMIT = 0.84;

/** Lost audio becomes silence, so that the rest stays with its picture. */
export function audioFilters(gain: number): string {
  const even = "aresample=48000:async=1:first_pts=0,aformat=channel_layouts=stereo";
  if (gain === 0) return even;
  return `${even},volume=${gain.toFixed(2)}dB,alimiter=limit=${LIMIT}:level=disabled`;
}

/** Decibels to the target loudness; 0 for silence. Throws a VideoError. */
export async function findGain(
  video: InspectedVideo,
  track: number,
  { signal, onProgress }: RunOptions,
): Promise<number> {
  let gain = 0;
  for (let turn = 0; turn <= CORRECTIONS; turn += 1) {
    const measured = await loudnessOf({ ...video, audio: track }, audioFilters(gain), {
      signal,
      onProgress: (part) => onProgress?.((turn + part) / (CORRECTIONS + 1)),
    });
    if (measured === null || measured < SILENCE) return 0;
    if (Math.abs(TARGET - measured) < NEAR_ENOUGH) break;
    gain += TARGET - measured;
  }
  return gain;
}

async function loudnessOf(
  video: InspectedVideo & { audio: number },
  filters: string,
  options: RunOptions,
): Promise<number | null> {
  let found: number | null = null;
  const onReport = (line: string) => {
    const [, value] = /\bI:\s+(-?[\d.]+) LUFS/.exec(line) ?? [];
    if (value !== undefined) found = Number(value);
  };
  const filter = `${filters},ebur128=framelog=verbose`;
  const args = ["-vn", "-sn", ...video.input, ...audioInput(video, video.audio, filter), "-f", "null", "-"];
  await runFfmpeg(args, video.seconds, { ...options, onReport });
  return found;
}
