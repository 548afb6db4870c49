import { execFile, spawn } from "node:child_process";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { config } from "#app/config.server.ts";
import { VideoError } from "./probe.server.ts";

export interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (part: number) => void;
  /** Gets what filters report. */
  onReport?: (line: string) => void;
}

const NICENESS = 15;
const MIN_LIMIT_SECONDS = 600;
const LIMIT_PER_SECOND_OF_VIDEO = 30;
const LIST_TIMEOUT_MS = 30_000;
export const DAMAGED = "the video is damaged or incomplete";
/** A complaint of a reader or a decoder. The names are those of writers, which repair what they complain about. */
const FAULT = /^(?!\[(?:mp4|null|libx264|out#)[^\]]*\]).*\[(?:error|fatal)\]/;

/** Resolves with how often the source could not be read or decoded. Rejects with a VideoError. */
export function runFfmpeg(
  args: string[],
  durationSeconds: number,
  { signal, onProgress, onReport }: RunOptions,
): Promise<{ faults: number }> {
  const limitSeconds = Math.max(MIN_LIMIT_SECONDS, durationSeconds * LIMIT_PER_SECOND_OF_VIDEO);
  const level = onReport ? "level+info" : "level+error";
  const flags = ["-nostdin", "-nostats", "-hide_banner", "-loglevel", level, "-threads", "2"];
  return new Promise((resolve, reject) => {
    const child = spawn(config.media.ffmpeg, [...flags, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
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
    let faults = 0;
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (FAULT.test(line)) faults += 1;
      else onReport?.(line);
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
      else if (code === 0) resolve({ faults });
      else reject(new VideoError(DAMAGED));
    }
  });
}

/** Throws a VideoError that says which of the filters this ffmpeg lacks, and what for. */
export async function requireFilters(names: string[], purpose: string): Promise<void> {
  if (names.length === 0) return;
  const list = await listFilters(config.media.ffmpeg);
  const missing = names.filter((name) => !new RegExp(`^\\s*\\S+\\s+${name}\\s`, "m").test(list));
  if (missing.length === 0) return;
  throw new VideoError(
    `${purpose} needs ${missing.join(" and ")}, which this ffmpeg lacks: install a build that has it`,
  );
}

/** Kept while the import runs: a start of ffmpeg takes 0.3 s of processor time, which each HDR video would need again. */
const filterLists = new Map<string, string>();

async function listFilters(ffmpeg: string): Promise<string> {
  const kept = filterLists.get(ffmpeg);
  if (kept !== undefined) return kept;
  const { stdout } = await promisify(execFile)(ffmpeg, ["-hide_banner", "-filters"], {
    timeout: LIST_TIMEOUT_MS,
  });
  filterLists.set(ffmpeg, stdout);
  return stdout;
}
