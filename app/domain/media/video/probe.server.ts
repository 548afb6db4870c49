import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { limitedCommand } from "../limited-program.server.ts";
import { isPicture, type Track, tags, track } from "./tracks.ts";

/** From the header, which may be wrong. */
export interface Probed {
  tracks: Track[];
  container: string;
  durationSeconds: number | null;
  startSeconds: number;
  chapters: { startSeconds: number; title: string | null }[];
}

export class VideoError extends Error {
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

/** A 24 kB file whose index lists millions of pictures took 2.8 GB. Eight honest hours take 0.15 GB. */
const MEMORY_KB = 512 * 1024;
/** The exit status of a shell. */
export const NOT_FOUND = 127;
const PROBE_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** ffprobe decodes pictures and audio to describe them. */
const MAX_PLAYED_TRACKS = 32;
/** Excludes formats that name other files or addresses. */
const CONTAINERS = "mov,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg";
/** Audio may begin late. ffmpeg and ffprobe number the tracks alike only if both look equally far. */
const LOOK = ["-probesize", "50M", "-analyzeduration", "30M"];

export const MAX_SIDE = 8192;
/** The header states the size of the first picture; later ones may take a gigabyte each. */
const LARGEST_PICTURE = ["-max_pixels", String(MAX_SIDE ** 2)];

/** Without it, ffmpeg takes a lost part of more than 64 KiB for the end of the file. */
const MAX_HOLE_BYTES = "2000000000";

export function inputArguments(path: string, container = ""): string[] {
  const limits = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS];
  const hole = container === "mpegts" ? ["-resync_size", MAX_HOLE_BYTES] : [];
  return [...limits, ...hole, ...LARGEST_PICTURE, ...LOOK, "-i", `file:${resolve(path)}`];
}

export function probeCommand(args: string[]): [command: string, args: string[]] {
  return limitedCommand([config.media.ffprobe, ...args], { memoryKb: MEMORY_KB });
}

const output = z.object({
  streams: z.array(track).default([]),
  chapters: z.array(z.object({ start_time: z.coerce.number(), tags: tags.optional() })).default([]),
  format: z.object({
    format_name: z.string(),
    duration: z.coerce.number().optional(),
    start_time: z.coerce.number().optional(),
  }),
});

export async function probeVideo(path: string, signal?: AbortSignal): Promise<Probed> {
  const { streams, format, chapters } = await runProbe(path, signal);
  const played = streams.filter((each) => isPicture(each) || each.codec_type === "audio");
  if (played.length > MAX_PLAYED_TRACKS) throw new VideoError(`more than ${MAX_PLAYED_TRACKS} tracks`);
  return {
    tracks: streams,
    container: format.format_name,
    durationSeconds: format.duration && format.duration > 0 ? format.duration : null,
    startSeconds: format.start_time ?? 0,
    chapters: chapters.map(({ start_time, tags }) => ({
      startSeconds: start_time,
      title: tags?.title?.trim() || null,
    })),
  };
}

export async function startOf(path: string, signal?: AbortSignal): Promise<number> {
  const { streams } = await runProbe(path, signal);
  return streams[0]?.start_time ?? 0;
}

async function runProbe(path: string, signal?: AbortSignal) {
  const flags = ["-v", "error", "-show_streams", "-show_format", "-show_chapters", "-of", "json"];
  try {
    const { stdout } = await promisify(execFile)(...probeCommand([...flags, ...inputArguments(path)]), {
      timeout: PROBE_TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      killSignal: "SIGKILL",
      signal,
    });
    return output.parse(JSON.parse(stdout));
  } catch (error) {
    if (signal?.aborted) throw error;
    if ((error as { code?: unknown }).code === NOT_FOUND) {
      throw new Error("ffprobe was not found: install ffmpeg, or set FFPROBE_PATH");
    }
    throw new VideoError("not a supported video, or damaged");
  }
}
