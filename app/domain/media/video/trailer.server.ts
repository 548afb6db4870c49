import { sizeOf } from "../renditions.ts";
import { DAMAGED, mp4Output, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { limitsOf } from "./ladder.ts";
import { lastEnd } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import { scaled } from "./renditions-plan.ts";
import { aac, h264, NO_METADATA, rateLimit } from "./transcode.server.ts";

interface CutVideo {
  path: string;
  width: number;
  height: number;
}

/** The shorter side. */
export const TRAILER_SIZE = 720;
const { crf, ceiling, buffer, audioBits } = limitsOf(TRAILER_SIZE);
const CODECS = [...h264(crf), ...rateLimit(ceiling, buffer), ...aac(audioBits), "-ar", "48000"];
/** A range at the video's end may lack a few pictures. */
const MISSING_SECONDS = 1;

export async function cutTrailer(
  target: string,
  { path, ...size }: CutVideo,
  { from, to }: { from: number; to: number },
  { signal, onProgress }: RunOptions,
): Promise<{ width: number; height: number; seconds: number }> {
  const { width, height } = scaled(size.width, size.height, Math.min(1, TRAILER_SIZE / sizeOf(size)));
  const length = to - from;
  const input = ["-ss", from.toFixed(3), "-t", length.toFixed(3), ...inputArguments(path)];
  const tracks = ["-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn"];
  await runFfmpeg(
    [
      ...input,
      ...tracks,
      "-vf",
      `scale=${width}:${height},setsar=1`,
      ...CODECS,
      ...NO_METADATA,
      ...mp4Output(target),
    ],
    length,
    { signal, onProgress },
  );
  const made = await readPackets({ path: target, input: inputArguments(target) }, { mayJump: false, signal });
  // The audio may outlast the picture.
  const seconds = lastEnd(made.tracks);
  if (seconds < length - MISSING_SECONDS) throw new VideoError(DAMAGED);
  return { width, height, seconds };
}
