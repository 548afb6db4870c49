import { audioInput } from "./audio-input.ts";
import { DAMAGED, mp4Output, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import type { InspectedVideo } from "./inspect.server.ts";
import { isShort } from "./missing-parts.ts";
import { lastEnd } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import { transparentFormat } from "./picture-facts.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import type { PlannedVideo } from "./renditions-plan.ts";
import type { Track } from "./tracks.ts";

export interface MadeVideo {
  durationSeconds: number;
  faults: number;
}

const AUDIO_BITS = 128_000;
/** Pictures per second. */
export const MAX_RATE = 60;
const CRF = 22;
const COLORS = [
  ...["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"],
];
/** ffmpeg 7 and later believe the frames rather than COLORS. */
const NAMED_COLORS = "setparams=range=tv:color_primaries=bt709:color_trc=bt709:colorspace=bt709";
export const NO_METADATA = ["-map_metadata", "-1", "-map_metadata:s:v", "-1", "-map_chapters", "-1"];

export async function makeVideo(
  target: string,
  video: InspectedVideo,
  planned: PlannedVideo,
  { signal, onProgress }: RunOptions = {},
): Promise<MadeVideo> {
  const { input, picture, audio, seconds } = video;
  const copied = planned.isCopy ? ["-map", `0:${audio}`] : audioInput(video, audio ?? 0, "aresample=async=1");
  const maps = ["-map", `0:${picture}`, ...(audio === null ? [] : copied)];
  const codecs = planned.isCopy
    ? ["-c", "copy"]
    : ["-vf", filtersOf(video, planned), ...h264(CRF), ...aac(AUDIO_BITS)];
  const metadata = audio === null ? NO_METADATA : [...NO_METADATA, "-map_metadata:s:a", "-1"];
  const { faults } = await runFfmpeg(
    [...input, ...maps, ...codecs, ...metadata, "-sn", "-dn", ...mp4Output(target)],
    seconds,
    { signal, onProgress },
  );
  return { durationSeconds: await measureMade(target, video, faults, signal), faults };
}

export function h264(crf: number): string[] {
  return [
    ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-crf", String(crf)],
    ...["-pix_fmt", "yuv420p", "-fpsmax", String(MAX_RATE), ...COLORS],
  ];
}

/** `ceiling`: bits per second. */
export function rateLimit(ceiling: number, bufferSeconds: number): string[] {
  return ["-maxrate", String(ceiling), "-bufsize", String(Math.round(ceiling * bufferSeconds))];
}

export function aac(bits: number): string[] {
  return ["-c:a", "aac", "-b:a", String(bits), "-ac", "2"];
}

/** ffmpeg reads a truncated file without an error, so the result is measured. Throws a VideoError. */
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
  // In an undamaged source, a long time without pictures is a still. In a damaged one, the encoder repeats the last picture over
  // the loss, so the source is measured, too.
  const [expected, covered] =
    faults > 0
      ? [pictureTimes.spanSeconds, Math.min(made.coveredSeconds, pictureTimes.coveredSeconds)]
      : [pictureTimes.coveredSeconds, made.coveredSeconds];
  if (isShort(covered, expected)) throw new VideoError(DAMAGED);
  return lastEnd(tracks);
}

export function filtersOf(
  { lateFrames, interlacing, colors, tracks, picture }: InspectedVideo,
  { width, height }: { width: number; height: number },
): string {
  const timely = lateFrames > 0 ? [`setpts=PTS-${lateFrames}`] : [];
  const fit = fitted(width, height, colors.scaling);
  const opaque = tracks.filter(({ index }) => index === picture).flatMap(onWhite);
  return [...timely, ...opaque, ...deinterlacing(interlacing), ...fit, ...colors.filters, NAMED_COLORS].join(
    ",",
  );
}

/** Transparent pixels have colors that nobody should see. */
function onWhite(track: Track): string[] {
  const format = transparentFormat(track);
  if (format === null) return [];
  const [white, flat] =
    format === "gbrap"
      ? ["lutrgb=r=maxval:g=maxval:b=maxval:a=maxval", "gbrp"]
      : ["lutyuv=y=maxval:u=128:v=128:a=255", "yuv444"];
  return [`format=${format},split[under][over];[under]${white}[white];[white][over]overlay=format=${flat}`];
}

/** Each field becomes a picture, because the camera took it as one. */
function deinterlacing(interlacing: InspectedVideo["interlacing"]): string[] {
  if (interlacing === null) return [];
  return [`bwdif=mode=send_field:parity=${interlacing}:deint=all`];
}

/** A picture whose shape changes gets borders, unless the difference is rounding. */
function fitted(width: number, height: number, scaling: string): string[] {
  const ratio = (width / height).toFixed(6);
  const isSame = `lt(abs(dar/${ratio}-1),0.02)`;
  const isWider = `gt(dar,${ratio})`;
  const across = `if(${isSame}+${isWider},${width},2*round(${height}*dar/2))`;
  const down = `if(${isSame}+not(${isWider}),${height},2*round(${width}/dar/2))`;
  return [`scale=w='${across}':h='${down}'${scaling}`, `pad=${width}:${height}:-1:-1`, "setsar=1"];
}
