import { DAMAGED, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { readPackets } from "./packets.server.ts";
import { inputArguments, VideoError } from "./probe.server.ts";
import { NO_METADATA } from "./transcode.server.ts";

/** Writes a fragmented MP4 as one that plays without a playlist. Resolves with its seconds. Throws a VideoError. */
export async function remuxVideo(
  source: string,
  target: string,
  { seconds, ...options }: RunOptions & { seconds: number },
): Promise<number> {
  const output = [
    "-c",
    "copy",
    ...NO_METADATA,
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    "-progress",
    "pipe:1",
  ];
  await runFfmpeg([...inputArguments(source), ...output, "-y", `file:${target}`], seconds, options);
  const read = { path: target, input: inputArguments(target) };
  const { tracks } = await readPackets(read, { mayJump: false, signal: options.signal });
  if (tracks.size === 0) throw new VideoError(DAMAGED);
  return Math.max(...[...tracks.values()].map(({ endSeconds }) => endSeconds));
}
