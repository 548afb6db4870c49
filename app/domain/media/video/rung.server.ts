import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import type { InspectedVideo } from "./inspect.server.ts";
import { type Rung, segmentSeconds } from "./ladder.ts";
import { soundFilters } from "./loudness.server.ts";
import { bandwidthOf, segmentsOf } from "./playlist.ts";
import { VideoError } from "./probe.server.ts";
import { filtersOf, measureMade, NO_METADATA } from "./transcode.server.ts";

export interface MadeRung {
  path: string;
  playlist: string;
  bandwidth: number;
  codecs: string;
  durationSeconds: number;
}

/** hls.js appends a segment as one piece, and the site sends at most this as one. */
const MAX_SEGMENT_BYTES = 8 * 1024 ** 2;
/** Room for a first second that fills the buffer twice, and for the file's own tables. */
const OUTPUT_FACTOR = 1.5;
const OUTPUT_SLACK_BYTES = 64 * 1024 ** 2;
const BUFFER_SECONDS = 1;
/** No key frame but the ones at the same times in every rung. */
const NO_OTHER_KEY_FRAMES = ["-g", "100000", "-keyint_min", "1", "-sc_threshold", "0"];
const COLORS = [
  ...["-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv"],
];
/** H.264 High; its level is the fourth part, which ffmpeg chooses by size and rate. */
const LEVELS: [maxPixelsPerSecond: number, level: number][] = [
  [1620 * 256 * 25, 30],
  [3600 * 256 * 30, 31],
  [8192 * 256 * 30, 40],
  [8704 * 256 * 60, 42],
];

/**
 * Writes one fragmented MP4 into `folder`, and what its playlist says, whose address of the file is `name`. `gain` in
 * decibels. Throws a VideoError.
 */
export async function makeRung(
  folder: string,
  name: string,
  video: InspectedVideo,
  { rung, gain, signal, onProgress }: RunOptions & { rung: Rung; gain: number },
): Promise<MadeRung> {
  const { input, picture, sound, seconds } = video;
  const maps = [picture, ...(sound === null ? [] : [sound])].flatMap((index) => ["-map", `0:${index}`]);
  const every = segmentSeconds(seconds).toFixed(4);
  const codecs = [
    ...["-vf", filtersOf(video, rung), "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high"],
    ...["-crf", String(rung.crf), "-maxrate", String(rung.ceiling)],
    ...["-bufsize", String(rung.ceiling * BUFFER_SECONDS), "-pix_fmt", "yuv420p", "-fpsmax", "60", ...COLORS],
    ...["-force_key_frames", `expr:gte(t,n_forced*${every})`, ...NO_OTHER_KEY_FRAMES],
    ...["-level:v", levelOf(rung)],
    ...(sound === null
      ? []
      : ["-af", soundFilters(gain), "-c:a", "aac", "-b:a", String(rung.sound), "-ac", "2"]),
  ];
  const metadata = sound === null ? NO_METADATA : [...NO_METADATA, "-map_metadata:s:a", "-1"];
  // Each key frame begins a segment.
  const output = [
    ...["-sn", "-dn", "-f", "hls", "-hls_time", "0.1", "-hls_list_size", "0", "-hls_playlist_type", "vod"],
    ...["-hls_segment_type", "fmp4", "-hls_flags", "single_file", "-hls_segment_filename", name],
    ...["-progress", "pipe:1", "-y", PLAYLIST],
  ];
  const run = { signal, onProgress, folder, maxOutputBytes: mostRungBytes(rung, seconds) };
  const { faults } = await runFfmpeg([...input, ...maps, ...codecs, ...metadata, ...output], seconds, run);
  const path = join(folder, name);
  const durationSeconds = await measureMade(path, video, faults, signal);
  const playlist = await readFile(join(folder, PLAYLIST), "utf8");
  const segments = segmentsOf(playlist);
  if (segments.length === 0 || segments.some(({ bytes }) => bytes > MAX_SEGMENT_BYTES)) {
    throw new VideoError("a part of it is larger than players take at once");
  }
  const level = Number(levelOf(rung).replace(".", "")).toString(16).padStart(2, "0");
  const codec = `avc1.6400${level}${sound === null ? "" : ",mp4a.40.2"}`;
  return { path, playlist, bandwidth: bandwidthOf(segments), codecs: codec, durationSeconds };
}

const PLAYLIST = "rung.m3u8";

export function mostRungBytes({ ceiling, sound }: Rung, seconds: number): number {
  return ((ceiling + sound) * seconds * OUTPUT_FACTOR) / 8 + OUTPUT_SLACK_BYTES;
}

/** The level says what a decoder must be able to do at 60 pictures a second, the most that are made. */
function levelOf({ width, height }: Rung): string {
  const perSecond = Math.ceil(width / 16) * Math.ceil(height / 16) * 256 * 60;
  const level = LEVELS.find(([most]) => perSecond <= most)?.[1] ?? 42;
  return (level / 10).toFixed(1);
}
