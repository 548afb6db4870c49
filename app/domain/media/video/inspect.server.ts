import type { Marker } from "#db/schema/catalog.ts";
import { type ColorConversion, colorConversion, isHdr, isPlainColor, type PictureColor } from "./color.ts";
import { requireFilters } from "./ffmpeg.server.ts";
import { decodeWhole, type FirstField, sampleFields } from "./fields.server.ts";
import type { TrackTimes } from "./packet-times.ts";
import { type ReadPackets, readPackets } from "./packets.server.ts";
import { type Probed, probeVideo, VideoError } from "./probe.server.ts";
import { choosePicture, chooseSound, type Track } from "./tracks.ts";

/** A video that can be imported, and how. */
export interface InspectedVideo {
  /** Of the packets, whatever the head of the file says. */
  seconds: number;
  pictureTimes: TrackTimes;
  /** Displayed size: upright, square pixels. */
  width: number;
  height: number;
  /** Indexes of tracks; `sound` is null without one. */
  picture: number;
  sound: number | null;
  /** Every browser plays its tracks unchanged in an MP4. */
  isPlayable: boolean;
  /** Null when its pictures are whole. */
  interlacing: FirstField | null;
  colors: ColorConversion;
  tracks: Track[];
  markers: Marker[];
  /** A plain sentence for each thing in the file that viewers do not get as it is. */
  warnings: string[];
}

const MAX_DURATION_SECONDS = 8 * 3600;
const MAX_SIDE = 8192;
/** Containers round, and the last audio frame may outlast the picture. */
const LENGTH_TOLERANCE_SECONDS = 1;
const LENGTH_TOLERANCE_PART = 0.02;
const MAX_MARKERS = 200;
const MAX_MARKER_TITLE = 200;
const WHOLE_ONLY = ["vp8", "vp9", "av1", "hevc", "theora", "gif"];
/** ffprobe's words: which half is stored first, then which is shown first. */
const FIELD_ORDERS: Record<string, FirstField> = { tt: "tff", bt: "tff", bb: "bff", tb: "bff" };

/** Reads the whole file; decodes all of it only when it may be copied. Throws a VideoError. */
export async function inspectVideo(path: string, signal?: AbortSignal): Promise<InspectedVideo> {
  const probed = await probeVideo(path, signal);
  const { tracks } = probed;
  const picture = choosePicture(tracks);
  if (!picture) throw new VideoError("it holds no picture");
  const size = uprightSize(picture);
  const { width = 0, height = 0 } = picture;
  if (Math.max(width, height, size.width, size.height) > MAX_SIDE) {
    throw new VideoError(`larger than ${MAX_SIDE} pixels`);
  }
  const sound = chooseSound(tracks);
  const packets = await readPackets(path, { mayJump: isStreamed(probed), signal });
  const pictureTimes = packets.tracks.get(picture.index);
  if (!pictureTimes) throw new VideoError("it holds no picture");
  const spans = [picture, sound].map((track) => spanOf(track, packets));
  const seconds = Math.max(...spans);
  if (seconds > MAX_DURATION_SECONDS)
    throw new VideoError(`longer than ${MAX_DURATION_SECONDS / 3600} hours`);
  const warnings = [...whatIsMissing(probed, picture, packets), ...whyMute(tracks, sound)];

  const color = colorOf(picture);
  const colors = colorConversion(color, { width, height });
  await requireFilters(colors.required, isHdr(color) ? "HDR" : "its wide range of colors");

  const source = { path, picture: picture.index, sound: sound?.index ?? null, seconds };
  const soundTimes = sound && packets.tracks.get(sound.index);
  const mayCopy = isPlayable(picture, sound) && isPlayableInOrder(picture, pictureTimes, soundTimes);
  const decoded = mayCopy ? await decodeWhole(source, signal) : null;
  const interlacing = await interlacingOf(picture, decoded?.firstField, () => sampleFields(source, signal));
  if (interlacing) await requireFilters(["bwdif"], "an interlaced video");
  return {
    seconds,
    pictureTimes,
    ...size,
    picture: source.picture,
    sound: source.sound,
    isPlayable: decoded !== null && decoded.faults === 0 && interlacing === null,
    interlacing,
    colors,
    tracks,
    markers: markersOf(probed, seconds),
    warnings,
  };
}

/** What is too little to be the video: more than rounding can explain. */
export function isShort(seconds: number, expected: number): boolean {
  return expected - seconds > LENGTH_TOLERANCE_SECONDS + expected * LENGTH_TOLERANCE_PART;
}

function spanOf(track: Track | null, packets: ReadPackets): number {
  return (track && packets.tracks.get(track.index)?.spanSeconds) ?? 0;
}

/**
 * The tables of MP4 and AVI say what was there when they were written, and so does the head of FLV and ASF. Matroska's
 * head may be older than what follows; a file of it that was cut off ends within a block. The others say nothing.
 */
function whatIsMissing(probed: Probed, picture: Track, packets: ReadPackets): string[] {
  const { container, durationSeconds, startSeconds } = probed;
  const hasTables = isOne(container, "mov", "avi");
  const promised = hasTables ? picture.duration : durationSeconds;
  if (!promised || isStreamed(probed) || isOne(container, "ogg")) return [];
  const ends = [...packets.tracks.values()].map(({ endSeconds }) => endSeconds - startSeconds);
  const found = hasTables ? spanOf(picture, packets) : Math.max(...ends);
  if (!isShort(found, promised)) return [];
  if (!isOne(container, "matroska") || packets.isCutOff) {
    throw new VideoError(
      `it ends after ${rounded(found)} of ${rounded(promised)} seconds: it is damaged or cut off`,
    );
  }
  return [`it says that it lasts ${rounded(promised)} seconds, but it ends after ${rounded(found)}`];
}

/** Made for broadcasting: the clock may jump, and there is no head. */
function isStreamed({ container }: Probed): boolean {
  return isOne(container, "mpegts", "mpeg");
}

function isOne(container: string, ...names: string[]): boolean {
  return container.split(",").some((name) => names.includes(name));
}

function whyMute(tracks: Track[], sound: Track | null): string[] {
  const unknown = tracks.find(({ codec_type }) => codec_type === "audio");
  if (sound || !unknown) return [];
  const name = unknown.codec_name ?? unknown.codec_tag_string ?? "unknown";
  return [`it is imported without sound, which this ffmpeg cannot decode (${name})`];
}

function rounded(seconds: number): string {
  return seconds.toFixed(seconds < 100 ? 1 : 0);
}

function uprightSize(video: Track): { width: number; height: number } {
  const [across = 1, down = 1] = (video.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const stretch = across > 0 && down > 0 ? across / down : 1;
  const [width, height] = [Math.round((video.width ?? 0) * stretch), video.height ?? 0];
  return Math.abs(rotationOf(video)) % 180 === 90 ? { width: height, height: width } : { width, height };
}

function rotationOf({ side_data_list = [] }: Track): number {
  return side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
}

/** Dolby Vision adds to a picture in other colors, which its number names; in profile 5 it replaces them. */
function colorOf({ color_range, color_space, color_transfer, color_primaries, side_data_list = [] }: Track) {
  const dolby = side_data_list.find(({ dv_profile }) => dv_profile !== undefined);
  if (dolby?.dv_profile === 5) {
    throw new VideoError("Dolby Vision of profile 5 is not supported; export it as HDR10, HLG or SDR");
  }
  const said: PictureColor = {
    range: color_range,
    matrix: color_space,
    transfer: color_transfer,
    primaries: color_primaries,
  };
  const isSaid = color_transfer !== undefined && color_transfer !== "unknown";
  const number = dolby?.dv_bl_signal_compatibility_id ?? 0;
  const transfer = { 1: "smpte2084", 4: "arib-std-b67", 6: "smpte2084" }[number];
  return isSaid || transfer === undefined ? said : { ...said, transfer };
}

function isPlayable(video: Track, audio: Track | null): boolean {
  const { codec_name, pix_fmt, width = 0, height = 0, sample_aspect_ratio = "1:1" } = video;
  const hasSquarePixels = sample_aspect_ratio === "1:1" || sample_aspect_ratio === "0:1";
  const isPlainPicture =
    codec_name === "h264" && pix_fmt === "yuv420p" && width % 2 === 0 && height % 2 === 0;
  return (
    isPlainPicture &&
    hasSquarePixels &&
    rotationOf(video) === 0 &&
    isPlainColor(colorOf(video)) &&
    FIELD_ORDERS[video.field_order ?? ""] === undefined &&
    (audio === null || audio.codec_name === "aac")
  );
}

/** A picture that says it is reordered, without a packet that is, has lost its times. */
function isPlayableInOrder(picture: Track, times: TrackTimes, sound: TrackTimes | null | undefined): boolean {
  const hasLostTimes = (picture.has_b_frames ?? 0) > 0 && !times.isReordered;
  return times.isOrderly && !hasLostTimes && (sound?.isOrderly ?? true);
}

async function interlacingOf(
  { field_order = "", codec_name = "" }: Track,
  seen: FirstField | null | undefined,
  sample: () => Promise<FirstField | null>,
): Promise<InspectedVideo["interlacing"]> {
  const said = FIELD_ORDERS[field_order];
  if (said) return said;
  if (seen !== undefined) return seen;
  return WHOLE_ONLY.includes(codec_name) ? null : sample();
}

/** One chapter alone divides nothing. */
function markersOf({ chapters, startSeconds }: Probed, seconds: number): Marker[] {
  const markers = new Map<number, string>();
  for (const [index, chapter] of chapters.slice(0, MAX_MARKERS).entries()) {
    const atSeconds = Math.max(0, chapter.startSeconds - startSeconds);
    if (atSeconds >= seconds || markers.has(atSeconds)) continue;
    markers.set(atSeconds, (chapter.title ?? `Chapter ${index + 1}`).slice(0, MAX_MARKER_TITLE));
  }
  return markers.size < 2 ? [] : [...markers].map(([atSeconds, title]) => ({ atSeconds, title }));
}
