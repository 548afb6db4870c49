import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { config } from "#app/config.server.ts";

export interface ProbedVideo {
  durationSeconds: number;
  /** Displayed size: upright, square pixels. */
  width: number;
  height: number;
  /** Stream indexes; `audio` is null without sound. */
  video: number;
  audio: number | null;
  /** Every browser plays its streams unchanged in an MP4. */
  isPlayable: boolean;
}

export class VideoError extends Error {}

const PROBE_TIMEOUT_MS = 30_000;
const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;
const MAX_DURATION_SECONDS = 8 * 3600;
const MAX_SIDE = 8192;
const MAX_STREAMS = 32;
/** Excludes playlists and scripts that name other files or addresses. */
const CONTAINERS = "mov,matroska,webm,avi,mpegts,mpeg,flv,asf,ogg";

/** Limits ffmpeg and ffprobe to this one file, as one of the containers above. */
export function inputArguments(path: string): string[] {
  return ["-protocol_whitelist", "file", "-format_whitelist", CONTAINERS, "-i", `file:${resolve(path)}`];
}

const stream = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  profile: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  pix_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  disposition: z.object({ attached_pic: z.number().optional() }).optional(),
  side_data_list: z.array(z.object({ rotation: z.number().optional() })).optional(),
});
const output = z.object({
  streams: z.array(stream),
  format: z.object({ duration: z.coerce.number().optional() }),
});
type Stream = z.infer<typeof stream>;

/** Throws a VideoError. */
export async function probeVideo(path: string, signal?: AbortSignal): Promise<ProbedVideo> {
  const { streams, format } = await runProbe(path, signal);
  if (streams.length > MAX_STREAMS) throw new VideoError(`more than ${MAX_STREAMS} streams`);
  const video = streams.find(isPicture);
  if (!video?.width || !video.height) throw new VideoError("it holds no picture");
  const { duration } = format;
  if (!duration || duration <= 0) throw new VideoError("its length is unknown; the file may be damaged");
  if (duration > MAX_DURATION_SECONDS)
    throw new VideoError(`longer than ${MAX_DURATION_SECONDS / 3600} hours`);
  if (Math.max(video.width, video.height) > MAX_SIDE) throw new VideoError(`larger than ${MAX_SIDE} pixels`);

  const audio = streams.find(({ codec_type }) => codec_type === "audio") ?? null;
  return {
    durationSeconds: duration,
    ...uprightSize(video),
    video: video.index,
    audio: audio?.index ?? null,
    isPlayable: isPlayable(video, audio),
  };
}

async function runProbe(path: string, signal?: AbortSignal) {
  const flags = ["-v", "error", "-show_streams", "-show_format", "-of", "json"];
  try {
    const { stdout } = await promisify(execFile)(config.media.ffprobe, [...flags, ...inputArguments(path)], {
      timeout: PROBE_TIMEOUT_MS,
      maxBuffer: MAX_OUTPUT_BYTES,
      killSignal: "SIGKILL",
      signal,
    });
    return output.parse(JSON.parse(stdout));
  } catch (error) {
    if (signal?.aborted) throw error;
    if ((error as NodeJS.ErrnoException).code === "ENOENT") {
      throw new Error("ffprobe was not found: install ffmpeg, or set FFPROBE_PATH");
    }
    throw new VideoError("not a supported video, or damaged");
  }
}

function isPicture({ codec_type, disposition }: Stream): boolean {
  return codec_type === "video" && disposition?.attached_pic !== 1;
}

function uprightSize(video: Stream): { width: number; height: number } {
  const [across = 1, down = 1] = (video.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const stretch = across > 0 && down > 0 ? across / down : 1;
  const [width, height] = [Math.round((video.width ?? 0) * stretch), video.height ?? 0];
  return Math.abs(rotationOf(video)) % 180 === 90 ? { width: height, height: width } : { width, height };
}

function rotationOf({ side_data_list = [] }: Stream): number {
  return side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
}

function isPlayable(video: Stream, audio: Stream | null): boolean {
  const { codec_name, pix_fmt, width = 0, height = 0, sample_aspect_ratio = "1:1" } = video;
  const hasSquarePixels = sample_aspect_ratio === "1:1" || sample_aspect_ratio === "0:1";
  const isPlainPicture =
    codec_name === "h264" && pix_fmt === "yuv420p" && width % 2 === 0 && height % 2 === 0;
  return (
    isPlainPicture &&
    hasSquarePixels &&
    rotationOf(video) === 0 &&
    (audio === null || audio.codec_name === "aac")
  );
}
