import { DAMAGED, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { lastEnd } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import { scaled } from "./renditions-plan.ts";
import { COLORS, NO_METADATA, RATE_LIMIT } from "./transcode.server.ts";

interface CutVideo {
  path: string;
  width: number;
  height: number;
}

/** The shorter side; the limits are those of this size in the ladder. */
const LARGEST_SIZE = 720;
const CODECS = [
  ...["-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-crf", "21"],
  ...["-maxrate", "3000000", "-bufsize", "3000000", "-pix_fmt", "yuv420p", ...RATE_LIMIT, ...COLORS],
  ...["-c:a", "aac", "-b:a", "160k", "-ac", "2", "-ar", "48000"],
];
/** A range at the video's end may lack a few pictures. */
const MISSING_SECONDS = 1;

export async function cutTrailer(
  target: string,
  { path, ...size }: CutVideo,
  { from, to }: { from: number; to: number },
  { signal, onProgress }: RunOptions,
): Promise<{ width: number; height: number; seconds: number }> {
  const { width, height } = scaled(
    size.width,
    size.height,
    Math.min(1, LARGEST_SIZE / Math.min(size.width, size.height)),
  );
  const length = to - from;
  const input = ["-ss", from.toFixed(3), "-t", length.toFixed(3), ...inputArguments(path)];
  const tracks = ["-map", "0:v:0", "-map", "0:a:0?", "-sn", "-dn"];
  const output = ["-movflags", "+faststart", "-f", "mp4", "-progress", "pipe:1", "-y", `file:${target}`];
  await runFfmpeg(
    [...input, ...tracks, "-vf", `scale=${width}:${height},setsar=1`, ...CODECS, ...NO_METADATA, ...output],
    length,
    { signal, onProgress },
  );
  const made = await readPackets({ path: target, input: inputArguments(target) }, { mayJump: false, signal });
  // The audio may outlast the picture.
  const seconds = lastEnd(made.tracks);
  if (seconds < length - MISSING_SECONDS) throw new VideoError(DAMAGED);
  return { width, height, seconds };
}
