import type { TrackTimes } from "./packet-times.ts";
import type { Track } from "./tracks.ts";

interface Promised {
  container: string;
  durationSeconds: number | null;
  startSeconds: number;
}

interface Found {
  tracks: Map<number, TrackTimes>;
  isCutOff: boolean;
}

/** Containers round, and the last audio frame may outlast the picture. */
const LENGTH_TOLERANCE_SECONDS = 1;
const LENGTH_TOLERANCE_PART = 0.02;

export function isShort(seconds: number, expected: number): boolean {
  return expected - seconds > LENGTH_TOLERANCE_SECONDS + expected * LENGTH_TOLERANCE_PART;
}

/** The tables of MP4 and AVI and the headers of FLV and ASF state the length. A header of Matroska may be older than its file. */
export function whatIsMissing(
  probed: Promised,
  picture: Track,
  packets: Found,
): { reason: string; isCutOff: boolean } | null {
  const { container, durationSeconds, startSeconds } = probed;
  const hasTables = isOne(container, "mov", "avi");
  const promised = hasTables ? picture.duration : durationSeconds;
  if (!promised || isStreamed(probed) || isOne(container, "ogg")) return null;
  const ends = [...packets.tracks.values()].map(({ endSeconds }) => endSeconds - startSeconds);
  const found = hasTables ? spanOf(picture, packets) : Math.max(...ends);
  if (!isShort(found, promised)) return null;
  const isCutOff = !isOne(container, "matroska") || packets.isCutOff;
  const reason = isCutOff
    ? `it ends after ${rounded(found)} of ${rounded(promised)} seconds: it is damaged or cut off`
    : `it claims to last ${rounded(promised)} seconds, but ends after ${rounded(found)}`;
  return { reason, isCutOff };
}

/** Broadcast formats have no header, and their clock may jump. */
export function isStreamed({ container }: { container: string }): boolean {
  return isOne(container, "mpegts", "mpeg");
}

/** AVI stores only decoding times, so pictures come late by as many frames as the decoder reorders. */
export function lateFrames({ container }: { container: string }, { has_b_frames = 0 }: Track): number {
  return isOne(container, "avi") ? has_b_frames : 0;
}

function isOne(container: string, ...names: string[]): boolean {
  return container.split(",").some((name) => names.includes(name));
}

export function spanOf(track: Track | null, packets: Found): number {
  return (track && packets.tracks.get(track.index)?.spanSeconds) ?? 0;
}

function rounded(seconds: number): string {
  return seconds.toFixed(seconds < 100 ? 1 : 0);
}
