import { existsSync } from "node:fs";
import { POSTER_LENGTH } from "../renditions.ts";
import { DAMAGED, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import type { InspectedVideo } from "./inspect.server.ts";
import { isShort } from "./missing-parts.ts";
import { readPackets } from "./packets.server.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import { type PlannedVideo, scaled } from "./renditions-plan.ts";

export interface MadeVideo {
  durationSeconds: number;
  /** How often the source could not be decoded, though nearly all of it could. */
  faults: number;
}

/** Lost sound becomes silence, so that the rest stays with its picture. */
const SOUND = ["-af", "aresample=async=1", "-c:a", "aac", "-b:a", "128k", "-ac", "2"];
const PICTURE = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-crf", "22"],
  ...["-pix_fmt", "yuv420p", "-fpsmax", "60"],
  ...["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"],
];
/** ffmpeg from 7 on believes the frames rather than the options above. */
const NAMED_COLORS = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709";
export const NO_METADATA = ["-map_metadata", "-1", "-map_metadata:s:v", "-1", "-map_chapters", "-1"];

/** Throws a VideoError. */
export async function makeVideo(
  target: string,
  video: InspectedVideo,
  planned: PlannedVideo,
  { signal, onProgress }: RunOptions = {},
): Promise<MadeVideo> {
  const { input, picture, sound, seconds } = video;
  const maps = [picture, ...(sound === null ? [] : [sound])].flatMap((index) => ["-map", `0:${index}`]);
  const codecs = planned.isCopy ? ["-c", "copy"] : ["-vf", filtersOf(video, planned), ...PICTURE, ...SOUND];
  const metadata = sound === null ? NO_METADATA : [...NO_METADATA, "-map_metadata:s:a", "-1"];
  const output = ["-sn", "-dn", "-movflags", "+faststart", "-f", "mp4", "-progress", "pipe:1"];
  const { faults } = await runFfmpeg(
    [...input, ...maps, ...codecs, ...metadata, ...output, "-y", `file:${target}`],
    seconds,
    { signal, onProgress },
  );
  return { durationSeconds: await measureMade(target, video, faults, signal), faults };
}

/** A truncated file is read without an error, so that the result counts. Throws a VideoError. */
export async function measureMade(
  target: string,
  { pictureTimes }: InspectedVideo,
  faults: number,
  signal?: AbortSignal,
): Promise<number> {
  const source = { path: target, input: inputArguments(target) };
  const { tracks } = await readPackets(source, { mayJump: false, signal });
  // makeVideo() writes the picture first.
  const made = tracks.get(0);
  if (!made) throw new VideoError(DAMAGED);
  // Where nothing is damaged, a long time without pictures is a still one. Otherwise the encoder repeats the last one
  // over what is lost, so the source has to have enough as well.
  const [expected, covered] =
    faults > 0
      ? [pictureTimes.spanSeconds, Math.min(made.coveredSeconds, pictureTimes.coveredSeconds)]
      : [pictureTimes.coveredSeconds, made.coveredSeconds];
  if (isShort(covered, expected)) throw new VideoError(DAMAGED);
  return Math.max(...[...tracks.values()].map(({ endSeconds }) => endSeconds));
}

export function filtersOf(
  { lateFrames, interlacing, colors }: InspectedVideo,
  { width, height }: { width: number; height: number },
): string {
  const timely = lateFrames > 0 ? [`setpts=PTS-${lateFrames}`] : [];
  const fit = fitted(width, height, colors.scaling);
  return [...timely, ...deinterlacing(interlacing), ...fit, ...colors.filters, NAMED_COLORS].join(",");
}

/** Each half becomes a picture, as the camera took them. */
function deinterlacing(interlacing: InspectedVideo["interlacing"]): string[] {
  if (interlacing === null) return [];
  return [`bwdif=mode=send_field:parity=${interlacing}:deint=all`];
}

/** A picture that changes its shape gets borders, but not for the pixel that rounding makes. */
function fitted(width: number, height: number, scaling: string): string[] {
  const ratio = (width / height).toFixed(6);
  const isSame = `lt(abs(dar/${ratio}-1),0.02)`;
  const isWider = `gt(dar,${ratio})`;
  const across = `if(${isSame}+${isWider},${width},2*round(${height}*dar/2))`;
  const down = `if(${isSame}+not(${isWider}),${height},2*round(${width}/dar/2))`;
  return [`scale=w='${across}':h='${down}'${scaling}`, `pad=${width}:${height}:-1:-1`, "setsar=1"];
}

/**
 * A poster of a source of which only a small size was made so far. Resolves with false where the source shows none at this
 * moment, as damaged ones do.
 */
export async function makeSourcePoster(
  video: InspectedVideo,
  target: string,
  durationSeconds: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { width, height, input, picture } = video;
  const size = scaled(width, height, Math.min(1, POSTER_LENGTH / Math.max(width, height)));
  const filters = `${filtersOf(video, size)},${TYPICAL}`;
  const seek = ["-ss", posterStart(durationSeconds).toFixed(3)];
  try {
    await runFfmpeg(
      [...seek, ...input, "-map", `0:${picture}`, "-vf", filters, ...posterOutput(target)],
      durationSeconds,
      { signal },
    );
  } catch (error) {
    if (!(error instanceof VideoError)) throw error;
    return false;
  }
  return existsSync(target);
}

/**
 * Writes a typical frame from the beginning of the video to `target`, a PNG: the last one where the picture ends before.
 * Throws a VideoError.
 */
export async function makePoster(
  source: string,
  target: string,
  durationSeconds: number,
  signal?: AbortSignal,
) {
  const start = posterStart(durationSeconds);
  const input = inputArguments(source);
  const output = posterOutput(target);
  const seek = ["-ss", String(start)];
  await runFfmpeg([...seek, ...input, "-vf", TYPICAL, ...output], durationSeconds, { signal });
  if (existsSync(target)) return;
  const still = `fps=5:eof_action=pass,tpad=stop_mode=clone:stop_duration=${start + 1},trim=start=${start}`;
  await runFfmpeg([...input, "-vf", still, ...output], durationSeconds, { signal });
  if (!existsSync(target)) throw new VideoError("no picture in it can be decoded");
}

const TYPICAL = "thumbnail=60";

/** ffmpeg does not read 1e-7, which is what a single frame may last. */
function posterStart(durationSeconds: number): number {
  return Number(Math.min(30, durationSeconds * 0.1).toFixed(3));
}

function posterOutput(target: string): string[] {
  return ["-an", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-y", `file:${target}`];
}
