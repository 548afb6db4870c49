import { DAMAGED, mp4Output, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { lastEnd } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import { inputArguments, startOf, VideoError } from "./probe.server.ts";
import { NO_METADATA } from "./transcode.server.ts";

/** Writes a fragmented MP4 as a plain one, with `audio` from another file. Resolves with its seconds. Throws a VideoError. */
export async function remuxVideo(
  source: string,
  target: string,
  { seconds, audio, ...options }: RunOptions & { seconds: number; audio: string | null },
): Promise<number> {
  // Both files share a clock that begins with the picture.
  const inputs =
    audio === null
      ? inputArguments(source)
      : ["-copyts", ...inputArguments(source), ...inputArguments(audio), "-map", "0:v", "-map", "1:a"];
  const begin =
    audio === null ? [] : ["-output_ts_offset", (-(await startOf(source, options.signal))).toFixed(6)];
  const output = ["-c", "copy", ...NO_METADATA, ...begin, ...mp4Output(target)];
  await runFfmpeg([...inputs, ...output], seconds, options);
  const read = { path: target, input: inputArguments(target) };
  const { tracks } = await readPackets(read, { mayJump: false, signal: options.signal });
  if (tracks.size === 0) throw new VideoError(DAMAGED);
  return lastEnd(tracks);
}
