import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { config } from "#app/config.server.ts";
import { OOM_KILLED_FIRST } from "../limited-program.server.ts";
import { DISK_FULL } from "../storage/disk-full.ts";
import { NOT_FOUND, VideoError } from "./probe.server.ts";

export interface RunOptions {
  signal?: AbortSignal;
  onProgress?: (part: number) => void;
  onReport?: (line: string) => void;
  folder?: string;
  maxOutputBytes?: number;
  /** 1 is right for 1080p. */
  timeoutFactor?: number;
}

export interface PlayableFile {
  path: string;
  seconds: number;
}

export const NICENESS = 15;
const THREADS = 4;
/** A picture of 8192 pixels and 16 reference frames. */
const MAX_MEMORY_KB = 4 * 1024 ** 2;
const MAX_OUTPUT_BYTES = 64 * 1024 ** 3;
const LAST_LINES = 8;
const MAX_LINE_LENGTH = 300;
const BY_SIGNAL = { above: 128, most: 128 + 31 };
/** SIGXFSZ. */
const TOO_LARGE = 128 + 25;
const HANDLED_SIGNAL = 255;
const NO_MEMORY = "Cannot allocate memory";
/**
 * ffmpeg would outlive a killed worker and fill the disk, so the shell kills its group when stdin closes. Linux schedules
 * autogroups before nice values; without the echo the site kept 52% of its requests a second beside two encodings.
 * The kernel allows one such change per user and 0.1 s.
 */
const LIMITED = `${OOM_KILLED_FIRST}; ulimit -d "$1"; ulimit -f "$2"; ulimit -t "$3"; shift 3
group="/proc/$$/autogroup"
[ -w "$group" ] && for try in 1 2 3; do
  (echo ${NICENESS} > "$group") 2>/dev/null && break
  sleep 0.2
done
exec 3<&0
nice -n ${NICENESS} "$@" </dev/null 3<&- & program=$!
(read -r _ <&3; kill -s KILL -- "-$$") >/dev/null 2>&1 & watch=$!
exec 3<&-
wait "$program"; status=$?
kill -KILL "$watch"
exit "$status"`;
const MIN_LIMIT_SECONDS = 600;
const LIMIT_PER_SECOND_OF_VIDEO = 30;
/** Node runs a longer timer at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
export const DAMAGED = "the video is damaged or incomplete";
/** Not the file's fault: the same command may succeed later. */
export const ENDED = "this machine had too little memory or time for it, or stopped ffmpeg";
/** Other lines quote the file's metadata, which may imitate any line. */
const ERROR_LINE = /^(?:\[[^\]]* @ 0x[\da-f]+\] )*\[(?:error|fatal)\] /;
/** Encoders and muxers repair what they report, so it is no fault of the source. */
const OUTPUT_SIDE = /^\[(?:mp4|null|libx264|out#)/;

/** The output as an MP4 that plays before it has loaded. */
export function mp4Output(target: string): string[] {
  return ["-movflags", "+faststart", "-f", "mp4", "-y", `file:${target}`];
}

/** `faults`: how often the source could not be read or decoded. Rejects with a VideoError. */
export function runFfmpeg(
  args: string[],
  durationSeconds: number,
  { signal, onProgress, onReport, folder, maxOutputBytes = MAX_OUTPUT_BYTES, timeoutFactor = 1 }: RunOptions,
): Promise<{ faults: number }> {
  const limitSeconds = Math.max(
    MIN_LIMIT_SECONDS,
    durationSeconds * LIMIT_PER_SECOND_OF_VIDEO * timeoutFactor,
  );
  const level = onReport ? "level+info" : "level+error";
  const progress = onProgress ? ["-progress", "pipe:1"] : [];
  const flags = ["-nostdin", "-nostats", ...progress, "-hide_banner", "-loglevel", level, "-threads", "2"];
  const limits = [MAX_MEMORY_KB, Math.ceil(maxOutputBytes / 512), Math.ceil(limitSeconds * THREADS)].map(
    String,
  );
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const program = [config.media.ffmpeg, ...flags, ...args];
    const child = spawn("/bin/sh", ["-c", LIMITED, "sh", ...limits, ...program], {
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      cwd: folder,
    });
    let failure: Error | null = null;
    const end = (reason: Error) => {
      failure ??= reason;
      killGroup(child.pid);
    };
    const onAbort = () => end(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(
      () => end(new VideoError("it took too long to convert")),
      Math.min(limitSeconds * 1000, MAX_TIMER_MS),
    );
    // Nothing is written here. The end of stdin tells the group that this process is gone.
    child.stdin.on("error", () => {});
    createInterface({ input: child.stdout }).on("line", (line) => {
      const seconds = progressIn(line);
      if (seconds !== null) onProgress?.(Math.min(1, seconds / durationSeconds));
    });
    let faults = 0;
    let hadMemory = true;
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on("line", (line) => {
      if (!ERROR_LINE.test(line)) return onReport?.(line);
      if (OUTPUT_SIDE.test(line)) onReport?.(line);
      else faults += 1;
      if (line.includes(NO_MEMORY)) hadMemory = false;
      lines.push(withoutNames(line, args));
      if (lines.length > LAST_LINES) lines.shift();
    });
    child.on("error", (error) => {
      failure ??= error;
      if (child.pid === undefined) finish();
    });
    // Waits for the exit, because the files are removed next.
    child.on("close", (code) => finish(code));
    function finish(code: number | null = null) {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
      if (failure) reject(failure);
      else if (code === 0) resolve({ faults });
      else reject(failureOf(code, { lines, hadMemory }));
    }
  });
}

function failureOf(
  code: number | null,
  { lines, hadMemory }: { lines: string[]; hadMemory: boolean },
): Error {
  if (code === NOT_FOUND) return new Error("ffmpeg was not found: install it, or set FFMPEG_PATH");
  if (isFull(lines)) return new VideoError(DISK_FULL, lines);
  return new VideoError(hadMemory && !isEndedBySignal(code) ? DAMAGED : ENDED, lines);
}

function progressIn(line: string): number | null {
  const microseconds = /^out_time_us=(\d+)$/.exec(line)?.[1];
  return microseconds === undefined ? null : Number(microseconds) / 1_000_000;
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {}
}

/** Files may be named after people. */
function withoutNames(line: string, args: readonly string[]): string {
  const names = args.filter((each) => each.startsWith("file:")).flatMap((each) => [each, each.slice(5)]);
  return names.reduce((text, name) => text.replaceAll(name, "…"), line).slice(0, MAX_LINE_LENGTH);
}

function isEndedBySignal(code: number | null): boolean {
  if (code === null || code === HANDLED_SIGNAL) return true;
  return code > BY_SIGNAL.above && code <= BY_SIGNAL.most && code !== TOO_LARGE;
}

function isFull(lines: readonly string[]): boolean {
  return lines.some((line) => /No space left on device|quota exceeded/i.test(line));
}
