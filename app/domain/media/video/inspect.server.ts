import { stat } from "node:fs/promises";
import type { Marker } from "#db/schema/catalog.ts";
import { ITEM_LIMITS, nameFromFile } from "../item-texts.ts";
import { isMixedEvenly } from "./audio-input.ts";
import { type ColorConversion, colorConversion, isHdr, isPlainColor, plainConversion } from "./color.ts";
import { listMissing, requireParts } from "./encoding-needs.server.ts";
import { decodeWhole, sampleFields } from "./interlacing.server.ts";
import { isStreamed, lateFrames, spanOf, whatIsMissing } from "./missing-parts.ts";
import type { TrackTimes } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import {
  alphaDecoder,
  claimedFirstField,
  colorOf,
  type FirstField,
  rotationOf,
  unsupportedDolbyVisionProfile,
  uprightSize,
} from "./picture-facts.ts";
import { inputArguments, MAX_SIDE, type Probed, probeVideo, VideoError } from "./probe.server.ts";
import { mayKeepRate, mayKeepSize } from "./renditions-plan.ts";
import { type AudioTrack, choosePicture, listAudioTracks, MAX_CHANNELS, type Track } from "./tracks.ts";

export interface InspectedVideo {
  input: string[];
  container: string;
  /** Counted by packets, because headers may be wrong. */
  seconds: number;
  pictureTimes: TrackTimes;
  /** As displayed: upright, with square pixels. */
  width: number;
  height: number;
  picture: number;
  audio: number | null;
  audioTracks: AudioTrack[];
  /** Small enough to copy, and proved to play: decision 135. */
  isPlayable: boolean;
  /** Frames by which the pictures come late. */
  lateFrames: number;
  interlacing: FirstField | null;
  colors: ColorConversion;
  tracks: Track[];
  markers: Marker[];
  warnings: string[];
}

const MAX_DURATION_SECONDS = 8 * 3600;
const { chapters: MAX_MARKERS, chapterTitle: MAX_MARKER_TITLE } = ITEM_LIMITS;

/** Reads the whole file, and decodes all of it only when it may be copied. Throws a VideoError. */
export async function inspectVideo(
  path: string,
  signal?: AbortSignal,
  { mayBeCopied = true } = {},
): Promise<InspectedVideo> {
  const probed = await probeVideo(path, signal);
  const { tracks } = probed;
  const picture = choosePicture(tracks);
  if (!picture) throw new VideoError("it has no video track");
  requireSupported(picture);
  const decoder = alphaDecoder(picture);
  if (decoder !== null) await requireParts("decoders", [decoder], "a transparent video");
  const input = inputOf(path, { ...probed, picture: picture.index });
  const size = uprightSize(picture);
  const { width = 0, height = 0 } = picture;
  const read = { path, input: inputArguments(path, probed.container) };
  const packets = await readPackets(read, { mayJump: isStreamed(probed), signal });
  const pictureTimes = packets.tracks.get(picture.index);
  if (!pictureTimes) throw new VideoError("its video track has no pictures");
  const { audioTracks, leftOut } = listAudioTracks(tracks, (track) => spanOf(track, packets));
  const audio = tracks.find(({ index }) => index === audioTracks[0]?.index) ?? null;
  if ((audio?.channels ?? 0) > MAX_CHANNELS)
    throw new VideoError(`audio with more than ${MAX_CHANNELS} channels`);
  const spans = [picture, audio].map((track) => spanOf(track, packets));
  const seconds = Math.max(...spans);
  if (seconds > MAX_DURATION_SECONDS)
    throw new VideoError(`longer than ${MAX_DURATION_SECONDS / 3600} hours`);
  const missing = whatIsMissing(probed, picture, packets);
  if (missing?.isCutOff) throw new VideoError(missing.reason);

  const color = colorOf(picture);
  const wanted = colorConversion(color, { width, height });
  const lacking = await listMissing("filters", wanted.required);
  const colors = lacking.length === 0 ? wanted : plainConversion(color);

  const source = { input, picture: picture.index, audio: audio?.index ?? null, seconds };
  const audioTimes = audio && packets.tracks.get(audio.index);
  const mayCopy =
    mayBeCopied &&
    mayKeepSize(size) &&
    mayKeepRate({ bytes: (await stat(path)).size, seconds }) &&
    isPlayable(picture, audio) &&
    audioTracks[0]?.right === undefined &&
    isPlayableInOrder(picture, pictureTimes, audioTimes);
  const decoded = mayCopy ? await decodeWhole(source, signal) : null;
  const seen = decoded ?? (await sampleFields(source, signal));
  const interlacing = seen.firstField ?? (seen.isProgressive ? null : claimedFirstField(picture));
  if (interlacing) await requireParts("filters", ["bwdif"], "an interlaced video");
  return {
    input,
    container: probed.container,
    seconds,
    pictureTimes,
    ...size,
    picture: source.picture,
    audio: source.audio,
    audioTracks,
    isPlayable: decoded !== null && decoded.faults === 0 && interlacing === null,
    lateFrames: lateFrames(probed, picture),
    interlacing,
    colors,
    tracks,
    markers: markersOf(probed, seconds),
    warnings: [
      ...(missing ? [missing.reason] : []),
      ...whySilent(tracks, audio),
      ...leftOut,
      ...whyMixed(tracks, audioTracks),
      ...(lacking.length > 0 ? [whyPale(isHdr(color), lacking)] : []),
      ...whyFewerMarkers(probed),
    ],
  };
}

/** What ffmpeg reads; ffprobe needs no decoder of its own. */
export function inputOf(
  path: string,
  { container, tracks, picture }: Pick<InspectedVideo, "container" | "tracks" | "picture">,
): string[] {
  const decoder = tracks.filter(({ index }) => index === picture).map(alphaDecoder)[0];
  return [...(decoder ? [`-c:${picture}`, decoder] : []), ...inputArguments(path, container)];
}

function requireSupported(picture: Track): void {
  const { width = 0, height = 0 } = picture;
  const upright = uprightSize(picture);
  if (Math.max(width, height, upright.width, upright.height) > MAX_SIDE) {
    throw new VideoError(`larger than ${MAX_SIDE} pixels`);
  }
  const profile = unsupportedDolbyVisionProfile(picture);
  if (profile === null) return;
  throw new VideoError(`Dolby Vision of profile ${profile} is not supported; export it as HDR10, HLG or SDR`);
}

function whySilent(tracks: Track[], audio: Track | null): string[] {
  const unknown = tracks.find(({ codec_type }) => codec_type === "audio");
  if (audio || !unknown) return [];
  const name = unknown.codec_name ?? unknown.codec_tag_string ?? "unknown";
  return [`it is imported without audio, because this ffmpeg cannot decode its ${name}`];
}

function whyMixed(tracks: Track[], kept: AudioTrack[]): string[] {
  const mixed = tracks.find(
    (track) => isMixedEvenly(track) && kept.some(({ index }) => index === track.index),
  );
  if (!mixed) return [];
  return [
    `its ${mixed.channels} audio channels do not say which speakers they are for, so each is heard equally on the left and right`,
  ];
}

function whyPale(isOfHdr: boolean, lacking: string[]): string {
  const what = isOfHdr ? "HDR" : "its wide range of colors";
  return `its colors are wrong: ${what} needs ${lacking.join(" and ")}, which this ffmpeg lacks`;
}

function whyFewerMarkers({ chapters }: Probed): string[] {
  if (chapters.length <= MAX_MARKERS) return [];
  return [`only the first ${MAX_MARKERS} of its ${chapters.length} chapters are imported`];
}

function markersOf({ chapters, startSeconds }: Probed, seconds: number): Marker[] {
  const markers = new Map<number, string>();
  for (const [index, chapter] of chapters.slice(0, MAX_MARKERS).entries()) {
    const atSeconds = Math.max(0, chapter.startSeconds - startSeconds);
    if (atSeconds >= seconds || markers.has(atSeconds)) continue;
    markers.set(atSeconds, nameFromFile(chapter.title ?? "", MAX_MARKER_TITLE) || `Chapter ${index + 1}`);
  }
  return markers.size < 2 ? [] : [...markers].map(([atSeconds, title]) => ({ atSeconds, title }));
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
    claimedFirstField(video) === null &&
    (audio === null || audio.codec_name === "aac")
  );
}

/** If no packet shows the reordering that the header states, times were lost. */
function isPlayableInOrder(picture: Track, times: TrackTimes, audio: TrackTimes | null | undefined): boolean {
  const hasLostTimes = (picture.has_b_frames ?? 0) > 0 && !times.isReordered;
  return times.isOrderly && !hasLostTimes && (audio?.isOrderly ?? true);
}
