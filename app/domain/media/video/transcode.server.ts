import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { config } from "#app/config.server.ts";
import { inputArguments, type ProbedVideo, probeVideo, VideoError } from "./probe.server.ts";
import type { PlannedVideo } from "./renditions-plan.ts";

interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (part: number) => void;
}

const NICENESS = 15;
const MIN_LIMIT_SECONDS = 600;
const LIMIT_PER_SECOND_OF_VIDEO = 30;
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

/** Writes `target`, an MP4 with faststart. Throws a VideoError. */
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

export async function makePoster(
  source: string,
  target: string,
  durationSeconds: number,
  signal?: AbortSignal,
) {
  const start = String(Math.min(30, durationSeconds * 0.1));
  const frame = [
    "-vf",
    "thumbnail=60",
    "-frames:v",
    "1",
    "-c:v",
    "png",
    "-f",
    "image2",
    "-y",
    `file:${target}`,
  ];
  await runFfmpeg(["-ss", start, ...inputArguments(source), ...frame], durationSeconds, { signal });
}

const DAMAGED = "the video is damaged or incomplete";

function runFfmpeg(
  args: string[],
  durationSeconds: number,
  { signal, onProgress }: RunOptions,
): Promise<void> {
  const limitSeconds = Math.max(MIN_LIMIT_SECONDS, durationSeconds * LIMIT_PER_SECOND_OF_VIDEO);
  const flags = ["-nostdin", "-hide_banner", "-loglevel", "error", "-xerror", "-threads", "2"];
  return new Promise((resolve, reject) => {
    const child = spawn(config.media.ffmpeg, [...flags, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
      signal,
      killSignal: "SIGKILL",
    });
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      child.kill("SIGKILL");
    }, limitSeconds * 1000);
    if (child.pid) setPriority(child.pid, NICENESS);
    createInterface({ input: child.stdout }).on("line", (line) => {
      const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1];
      if (microseconds) onProgress?.(Math.min(1, Number(microseconds) / 1_000_000 / durationSeconds));
    });
    let failure: Error | null = null;
    child.on("error", (error: NodeJS.ErrnoException) => {
      failure =
        error.code === "ENOENT" ? new Error("ffmpeg was not found: install it, or set FFMPEG_PATH") : error;
      if (child.pid === undefined) finish();
    });
    // Not before the exit: the files are removed next.
    child.on("close", (code) => finish(code));
    function finish(code: number | null = null) {
      clearTimeout(timer);
      if (failure) reject(failure);
      else if (isOverdue) reject(new VideoError("it took too long to convert"));
      else if (code === 0) resolve();
      else reject(new VideoError(DAMAGED));
    }
  });
}
