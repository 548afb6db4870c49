import { spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { config } from "#app/config.server.ts";
import { VideoError } from "./probe.server.ts";

export interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (part: number) => void;
}

const NICENESS = 15;
const MIN_LIMIT_SECONDS = 600;
const LIMIT_PER_SECOND_OF_VIDEO = 30;
export const DAMAGED = "the video is damaged or incomplete";

/** Rejects with a VideoError when the video is damaged or takes too long. */
export function runFfmpeg(
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
