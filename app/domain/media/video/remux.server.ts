import { DAMAGED, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { lastEnd } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import { inputArguments, startOf, VideoError } from "./probe.server.ts";
import { NO_METADATA } from "./transcode.server.ts";

/**
 * Writes a fragmented MP4 as one that plays without a playlist, with the sound of another when that is given. Resolves with
 * its seconds. Throws a VideoError.
 */
export async function remuxVideo(
  source: string,
  target: string,
  { seconds, sound, ...options }: RunOptions & { seconds: number; sound: string | null },
): Promise<number> {
  // Both have one clock, which begins where the picture does.
  const inputs =
    sound === null
      ? inputArguments(source)
      : ["-copyts", ...inputArguments(source), ...inputArguments(sound), "-map", "0:v", "-map", "1:a"];
  const begin =
    sound === null ? [] : ["-output_ts_offset", (-(await startOf(source, options.signal))).toFixed(6)];
  const output = [
    "-c",
    "copy",
    ...NO_METADATA,
    ...begin,
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    "-progress",
    "pipe:1",
  ];
  await runFfmpeg([...inputs, ...output, "-y", `file:${target}`], seconds, options);
  const read = { path: target, input: inputArguments(target) };
  const { tracks } = await readPackets(read, { mayJump: false, signal: options.signal });
  if (tracks.size === 0) throw new VideoError(DAMAGED);
  return lastEnd(tracks);
}
