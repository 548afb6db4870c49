import { isPlainColor } from "./color.ts";
import type { TrackTimes } from "./packet-times.ts";
import { claimedFirstField, colorOf, rotationOf } from "./picture-facts.ts";
import type { Track } from "./tracks.ts";

/** Every browser plays the tracks unchanged in an MP4. */
export function isPlayable(video: Track, audio: Track | null): boolean {
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
export function isPlayableInOrder(
  picture: Track,
  times: TrackTimes,
  sound: TrackTimes | null | undefined,
): boolean {
  const hasLostTimes = (picture.has_b_frames ?? 0) > 0 && !times.isReordered;
  return times.isOrderly && !hasLostTimes && (sound?.isOrderly ?? true);
}
