import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileNames } from "../renditions.ts";
import { audioInput } from "./audio-input.ts";
import { type RunOptions, runFfmpeg } from "./ffmpeg.server.ts";
import type { InspectedVideo } from "./inspect.server.ts";
import { countSegments, MAX_SEGMENT_BYTES, pixelsOf, type Rung, SEPARATE_AUDIO_BITS } from "./ladder.ts";
import { audioFilters } from "./loudness.server.ts";
import { bandwidthOf, segmentsOf } from "./playlist.ts";
import { startOf, VideoError } from "./probe.server.ts";
import { aac, filtersOf, h264, MAX_RATE, measureMade, NO_METADATA, rateLimit } from "./transcode.server.ts";

export interface MadeTrack {
  path: string;
  playlist: string;
  bandwidth: number;
  codecs: string;
}

export interface MadeRung extends MadeTrack {
  rung: Rung;
}

/** The buffer may be filled twice in the first second, and the file has tables. */
const OUTPUT_FACTOR = 1.5;
const OUTPUT_SLACK_BYTES = 64 * 1024 ** 2;
/** All rungs have key frames at the same times, and no others. */
const NO_OTHER_KEY_FRAMES = ["-g", "100000", "-keyint_min", "1", "-sc_threshold", "0"];
const LEVELS: [maxPixelsPerSecond: number, level: number][] = [
  [1620 * 256 * 25, 30],
  [3600 * 256 * 30, 31],
  [8192 * 256 * 30, 40],
  [8704 * 256 * 60, 42],
  [589_824 * 256, 50],
  [983_040 * 256, 51],
  [2_073_600 * 256, 52],
];
/** A larger buffer, emptied within a short segment, would push it above 1.5 times the ceiling. */
const MAX_BUFFER_PART = 0.4;
const MAX_MISSING_SECONDS = 1;
const USUAL_PIXELS = 1920 * 1080;
/** The silence that AAC encoders put before the audio. */
const PRIMING_SECONDS = 1024 / 48_000;
/** Keeps the last audio frame in the last segment. */
const AUDIO_SLACK_SECONDS = 0.1;

/**
 * Writes a fragmented MP4 with its playlist for each size, all from one decoding. A single audio track is inside them. `gain`:
 * decibels; `faults`: of the source. Throws a VideoError.
 */
export async function makeRungs(
  folder: string,
  video: InspectedVideo,
  { rungs, gain, signal, onProgress }: RunOptions & { rungs: readonly Rung[]; gain: number },
): Promise<{ made: MadeRung[]; faults: number }> {
  const { input, seconds } = video;
  const padding = paddingFilters(video);
  // ffmpeg notices the end of the pictures only after all audio, unless it reads the audio separately.
  const inputs = padding.length > 0 ? [input, input] : [input];
  const outputs = rungs.flatMap((rung, output) => {
    const audio = audioOf(video);
    const place = { number: inputs.length - 1, output };
    const audioMap = audio === null ? [] : audioInput(video, audio, audioFilters(gain), place);
    const end = padding.length > 0 ? ["-t", seconds.toFixed(3)] : [];
    return [
      ...["-map", `0:${video.picture}`, ...audioMap, ...codecsOf(video, rung, padding), ...NO_METADATA],
      ...(audio === null ? [] : ["-map_metadata:s:a", "-1"]),
      ...["-sn", "-dn", ...end, ...segmented(fileNames.rung(rung.size), 0.1)],
    ];
  });
  const { faults } = await runFfmpeg([...inputs.flat(), ...outputs], seconds, {
    ...{ signal, onProgress, folder, timeoutFactor: Math.max(1, pixelsOf(rungs) / USUAL_PIXELS) },
    maxOutputBytes: Math.max(...rungs.map((rung) => mostRungBytes(rung, seconds))),
  });
  const made: MadeRung[] = [];
  for (const rung of rungs) {
    const name = fileNames.rung(rung.size);
    await measureMade(join(folder, name), video, faults, signal);
    const level = Number(levelOf(rung).replace(".", "")).toString(16).padStart(2, "0");
    const codecs = `avc1.6400${level}${audioOf(video) === null ? "" : `,${AUDIO_CODEC}`}`;
    made.push({ ...(await readPlaylist(folder, name)), codecs, rung });
  }
  return { made, faults };
}

/** Null for several tracks, which become files of their own. */
function audioOf({ audio, audioTracks }: InspectedVideo): number | null {
  return audioTracks.length > 1 ? null : audio;
}

function codecsOf(video: InspectedVideo, rung: Rung, padding: string[]): string[] {
  const { seconds } = video;
  const count = countSegments(video);
  // Without the count, pictures that go on after the stated end would make a segment of one frame.
  const keyFrames = `expr:gte(t,n_forced*${(seconds / count).toFixed(4)})*lt(n_forced,${count})`;
  const bufferSeconds = Math.min(rung.buffer, MAX_BUFFER_PART * (seconds / count));
  return [
    ...["-vf", [filtersOf(video, rung), ...padding].join()],
    ...[...h264(rung.crf), ...rateLimit(rung.ceiling, bufferSeconds)],
    ...["-force_key_frames", keyFrames, ...NO_OTHER_KEY_FRAMES],
    ...["-level:v", levelOf(rung)],
    ...(audioOf(video) === null ? [] : aac(rung.audioBits)),
  ];
}

export function countFrames(video: InspectedVideo): number {
  return Math.min(countPictures(video), MAX_RATE * video.seconds);
}

/** Each field of an interlaced frame becomes a picture. */
function countPictures({ pictureTimes, interlacing }: InspectedVideo): number {
  return (interlacing ? 2 : 1) * pictureTimes.packets;
}

/** Holds the last picture while the audio continues: only pictures begin segments, and players stop where none comes. */
function paddingFilters(video: InspectedVideo): string[] {
  const { seconds } = video;
  const { spanSeconds } = video.pictureTimes;
  if (seconds - spanSeconds <= MAX_MISSING_SECONDS) return [];
  // A single picture has no rate, and the second filter would never end.
  const rate = Math.min(MAX_RATE, Math.max(1, countPictures(video) / spanSeconds));
  return [`fps=${rate.toFixed(3)}:eof_action=pass`, "tpad=stop=-1:stop_mode=clone"];
}

/** Begins with the first picture of `rung`, a finished file, whose time may be after 0. Throws a VideoError. */
export async function makeAudio(
  folder: string,
  name: string,
  { input, seconds, ...video }: InspectedVideo,
  { track, rung, gain, signal, onProgress }: RunOptions & { track: number; rung: string; gain: number },
): Promise<MadeTrack> {
  const begin = await startOf(rung, signal);
  const count = countSegments({ ...video, seconds });
  const filters = `${audioFilters(gain)},apad=whole_dur=${seconds.toFixed(3)}`;
  const output = [
    ...audioInput(video, track, filters),
    ...["-vn", "-sn", "-dn", ...aac(SEPARATE_AUDIO_BITS), ...NO_METADATA, "-map_metadata:s:a", "-1"],
    ...["-output_ts_offset", (begin - PRIMING_SECONDS).toFixed(6)],
    ...segmented(name, (seconds + AUDIO_SLACK_SECONDS) / count),
  ];
  const most = mostRungBytes({ ceiling: 0, audioBits: SEPARATE_AUDIO_BITS }, seconds);
  await runFfmpeg([...input, ...output], seconds, {
    signal,
    onProgress,
    folder,
    maxOutputBytes: most,
  });
  return { ...(await readPlaylist(folder, name)), codecs: AUDIO_CODEC };
}

const AUDIO_CODEC = "mp4a.40.2";

function segmented(name: string, every: number): string[] {
  return [
    ...["-f", "hls", "-hls_time", every.toFixed(4), "-hls_list_size", "0", "-hls_playlist_type", "vod"],
    ...["-hls_segment_type", "fmp4", "-hls_flags", "single_file", "-hls_segment_filename", name],
    ...["-y", playlistOf(name)],
  ];
}

function playlistOf(name: string): string {
  return `${name}.m3u8`;
}

async function readPlaylist(folder: string, name: string) {
  const playlist = await readFile(join(folder, playlistOf(name)), "utf8");
  const segments = segmentsOf(playlist);
  if (segments.length === 0 || segments.some(({ bytes }) => bytes > MAX_SEGMENT_BYTES)) {
    throw new VideoError("one of its segments is larger than players accept");
  }
  return { path: join(folder, name), playlist, bandwidth: bandwidthOf(segments) };
}

export function mostRungBytes(
  { ceiling, audioBits }: Pick<Rung, "ceiling" | "audioBits">,
  seconds: number,
): number {
  return ((ceiling + audioBits) * seconds * OUTPUT_FACTOR) / 8 + OUTPUT_SLACK_BYTES;
}

function levelOf({ width, height }: Rung): string {
  const perSecond = Math.ceil(width / 16) * Math.ceil(height / 16) * 256 * MAX_RATE;
  const level = LEVELS.find(([most]) => perSecond <= most)?.[1] ?? 52;
  return (level / 10).toFixed(1);
}
