import { existsSync } from "node:fs";
import { DAMAGED, type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import { inputArguments, type ProbedVideo, probeVideo, VideoError } from "./probe.server.ts";
import type { PlannedVideo } from "./renditions-plan.ts";

/** Containers round, and the last audio frame may outlast the picture. */
const LENGTH_TOLERANCE_SECONDS = 1;
const SOUND = ["-c:a", "aac", "-b:a", "128k", "-ac", "2"];
const PICTURE = [
  "-c:v",
  "libx264",
  "-preset",
  "veryfast",
  "-crf",
  "22",
  "-pix_fmt",
  "yuv420p",
  "-fpsmax",
  "60",
];
const NO_METADATA = [
  "-map_metadata",
  "-1",
  "-map_metadata:s:v",
  "-1",
  "-map_metadata:s:a",
  "-1",
  "-map_chapters",
  "-1",
];

/** Throws a VideoError. */
export async function makeVideo(
  source: string,
  target: string,
  probed: ProbedVideo,
  planned: PlannedVideo,
  { signal, onProgress }: RunOptions = {},
): Promise<void> {
  const { width, height, isCopy } = planned;
  const maps = ["-map", `0:${probed.video}`, ...(probed.audio === null ? [] : ["-map", `0:${probed.audio}`])];
  const codecs = isCopy ? ["-c", "copy"] : ["-vf", `scale=${width}:${height},setsar=1`, ...PICTURE, ...SOUND];
  const metadata =
    probed.audio === null ? NO_METADATA.filter((_, index) => index !== 4 && index !== 5) : NO_METADATA;
  const output = [
    "-sn",
    "-dn",
    "-movflags",
    "+faststart",
    "-f",
    "mp4",
    "-progress",
    "pipe:1",
    "-y",
    `file:${target}`,
  ];
  await runFfmpeg(
    [...inputArguments(source), ...maps, ...codecs, ...metadata, ...output],
    probed.durationSeconds,
    {
      signal,
      onProgress,
    },
  );
  // A truncated file is read without an error.
  const made = await probeVideo(target, signal);
  const missing = probed.durationSeconds - made.durationSeconds;
  if (missing > LENGTH_TOLERANCE_SECONDS + probed.durationSeconds * 0.02) throw new VideoError(DAMAGED);
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
  const start = Math.min(30, durationSeconds * 0.1);
  const input = inputArguments(source);
  const output = ["-an", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-y", `file:${target}`];
  const seek = ["-ss", String(start)];
  await runFfmpeg([...seek, ...input, "-vf", "thumbnail=60", ...output], durationSeconds, { signal });
  if (existsSync(target)) return;
  const still = `fps=5:eof_action=pass,tpad=stop_mode=clone:stop_duration=${start + 1},trim=start=${start}`;
  await runFfmpeg([...input, "-vf", still, ...output], durationSeconds, { signal });
  if (!existsSync(target)) throw new VideoError("no picture in it can be decoded");
}
