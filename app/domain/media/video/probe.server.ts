import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { NOT_FOUND, probeCommand } from "./ffprobe.server.ts";
import { isPicture, type Track, tags, track } from "./tracks.ts";

/** The head of a file, which may be wrong. */
export interface Probed {
  tracks: Track[];
  /** Names of ffmpeg, separated by commas. */
  container: string;
  durationSeconds: number | null;
  startSeconds: number;
  chapters: { startSeconds: number; title: string | null }[];
}

export class VideoError extends Error {
  /** The last words of ffmpeg, without the names of files. */
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[] = []) {
    super(message);
    this.lines = lines;
  }
}

const PROBE_TIMEOUT_MS = 60_000;
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;
/** Pictures and sounds, which ffprobe decodes to describe them. */
const MAX_PLAYED_TRACKS = 32;
/** Excludes playlists and scripts that name other files or addresses. */
const CONTAINERS = "mov,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg";
/** A sound may begin after the picture. ffmpeg and ffprobe number the tracks alike only when both look as far. */
const LOOK = ["-probesize", "50M", "-analyzeduration", "30M"];

/** The longer side of a picture. */
export const MAX_SIDE = 8192;
/** The head tells the size of the first picture; later ones may be larger, up to a gigabyte each. */
const LARGEST_PICTURE = ["-max_pixels", String(MAX_SIDE ** 2)];

/** In bytes, of what was lost from a recording: ffmpeg would take more than 64 KiB for its end. */
const MAX_HOLE = "2000000000";

/** Limits ffmpeg and ffprobe to this one file, as one of the containers above. */
export function inputArguments(path: string, container = ""): string[] {
  const limits = ["-protocol_whitelist", "file,pipe", "-format_whitelist", CONTAINERS];
  const hole = container === "mpegts" ? ["-resync_size", MAX_HOLE] : [];
  return [...limits, ...hole, ...LARGEST_PICTURE, ...LOOK, "-i", `file:${resolve(path)}`];
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

/** Throws a VideoError. */
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

/** Seconds on the file's clock at which its first track begins. Throws a VideoError. */
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
