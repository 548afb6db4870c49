import { cutText } from "#app/texts.ts";
import type { Marker } from "#db/schema/catalog.ts";
import { type ColorConversion, colorConversion, isHdr, isPlainColor, plainConversion } from "./color.ts";
import { listMissing, requireFilters } from "./ffmpeg.server.ts";
import { decodeWhole, sampleFields } from "./interlacing.server.ts";
import { isStreamed, lateFrames, spanOf, whatIsMissing } from "./missing-parts.ts";
import type { TrackTimes } from "./packet-times.ts";
import { readPackets } from "./packets.server.ts";
import {
  claimedFirstField,
  colorOf,
  type FirstField,
  rotationOf,
  unsupportedDolbyVisionProfile,
  uprightSize,
} from "./picture-facts.ts";
import { inputArguments, MAX_SIDE, type Probed, probeVideo, VideoError } from "./probe.server.ts";
import { mayKeepSize } from "./renditions-plan.ts";
import { choosePicture, chooseSound, listSounds, type SoundTrack, type Track } from "./tracks.ts";

/** A video that can be imported, and how. */
export interface InspectedVideo {
  /** Arguments that make ffmpeg read it. */
  input: string[];
  /** Names of ffmpeg, separated by commas. */
  container: string;
  /** Counted by packets, whatever the head of the file says. */
  seconds: number;
  pictureTimes: TrackTimes;
  /** Displayed size: upright, square pixels. */
  width: number;
  height: number;
  /** Indexes of tracks; `sound` is null without one. */
  picture: number;
  sound: number | null;
  /** Viewers can choose from them; the default one is first. */
  sounds: SoundTrack[];
  /** Every browser plays its tracks unchanged in an MP4. */
  isPlayable: boolean;
  /** By how many frames a decoder shows the picture after its sound. */
  lateFrames: number;
  /** Null when its pictures are whole. */
  interlacing: FirstField | null;
  colors: ColorConversion;
  tracks: Track[];
  markers: Marker[];
  /** A plain sentence for each thing in the file that viewers do not get as it is. */
  warnings: string[];
}

const MAX_DURATION_SECONDS = 8 * 3600;
const MAX_MARKERS = 200;
const MAX_MARKER_TITLE = 200;

/** Reads the whole file; decodes all of it only when it may be copied. Throws a VideoError. */
export async function inspectVideo(
  path: string,
  signal?: AbortSignal,
  { mayBeCopied = true } = {},
): Promise<InspectedVideo> {
  const probed = await probeVideo(path, signal);
  const { tracks } = probed;
  const input = inputArguments(path, probed.container);
  const picture = choosePicture(tracks);
  if (!picture) throw new VideoError("it has no video track");
  requireSupported(picture);
  const size = uprightSize(picture);
  const { width = 0, height = 0 } = picture;
  const sound = chooseSound(tracks);
  const packets = await readPackets({ path, input }, { mayJump: isStreamed(probed), signal });
  const pictureTimes = packets.tracks.get(picture.index);
  if (!pictureTimes) throw new VideoError("its video track holds no picture");
  const spans = [picture, sound].map((track) => spanOf(track, packets));
  const seconds = Math.max(...spans);
  if (seconds > MAX_DURATION_SECONDS)
    throw new VideoError(`longer than ${MAX_DURATION_SECONDS / 3600} hours`);
  const missing = whatIsMissing(probed, picture, packets);
  if (missing?.isCutOff) throw new VideoError(missing.reason);

  const color = colorOf(picture);
  const wanted = colorConversion(color, { width, height });
  const lacking = await listMissing("filters", wanted.required);
  const colors = lacking.length === 0 ? wanted : plainConversion(color);
  const { sounds, leftOut } = listSounds(tracks);

  const source = { input, picture: picture.index, sound: sound?.index ?? null, seconds };
  const soundTimes = sound && packets.tracks.get(sound.index);
  const mayCopy =
    mayBeCopied &&
    mayKeepSize(size) &&
    isPlayable(picture, sound) &&
    isPlayableInOrder(picture, pictureTimes, soundTimes);
  const decoded = mayCopy ? await decodeWhole(source, signal) : null;
  const interlacing =
    claimedFirstField(picture) ?? (decoded ? decoded.firstField : await sampleFields(source, signal));
  if (interlacing) await requireFilters(["bwdif"], "an interlaced video");
  return {
    input,
    container: probed.container,
    seconds,
    pictureTimes,
    ...size,
    picture: source.picture,
    sound: source.sound,
    sounds,
    isPlayable: decoded !== null && decoded.faults === 0 && interlacing === null,
    lateFrames: lateFrames(probed, picture),
    interlacing,
    colors,
    tracks,
    markers: markersOf(probed, seconds),
    warnings: [
      ...(missing ? [missing.reason] : []),
      ...whyMute(tracks, sound),
      ...leftOut,
      ...(lacking.length > 0 ? [whyPale(isHdr(color), lacking)] : []),
      ...whyFewerMarkers(probed),
    ],
  };
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

function whyMute(tracks: Track[], sound: Track | null): string[] {
  const unknown = tracks.find(({ codec_type }) => codec_type === "audio");
  if (sound || !unknown) return [];
  const name = unknown.codec_name ?? unknown.codec_tag_string ?? "unknown";
  return [`it is imported without sound, which this ffmpeg cannot decode (${name})`];
}

function whyPale(isOfHdr: boolean, lacking: string[]): string {
  const what = isOfHdr ? "HDR" : "its wide range of colors";
  return `its colors are not right: ${what} needs ${lacking.join(" and ")}, which this ffmpeg lacks`;
}

function whyFewerMarkers({ chapters }: Probed): string[] {
  if (chapters.length <= MAX_MARKERS) return [];
  return [`only the first ${MAX_MARKERS} of its ${chapters.length} chapters are taken`];
}

/** One chapter alone divides nothing. */
function markersOf({ chapters, startSeconds }: Probed, seconds: number): Marker[] {
  const markers = new Map<number, string>();
  for (const [index, chapter] of chapters.slice(0, MAX_MARKERS).entries()) {
    const atSeconds = Math.max(0, chapter.startSeconds - startSeconds);
    if (atSeconds >= seconds || markers.has(atSeconds)) continue;
    markers.set(atSeconds, cutText(chapter.title ?? `Chapter ${index + 1}`, MAX_MARKER_TITLE));
  }
  return markers.size < 2 ? [] : [...markers].map(([atSeconds, title]) => ({ atSeconds, title }));
}

/** Every browser plays the tracks unchanged in an MP4. */
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

/** A picture that says it is reordered, without a packet that is, has lost its times. */
function isPlayableInOrder(picture: Track, times: TrackTimes, sound: TrackTimes | null | undefined): boolean {
  const hasLostTimes = (picture.has_b_frames ?? 0) > 0 && !times.isReordered;
  return times.isOrderly && !hasLostTimes && (sound?.isOrderly ?? true);
}
