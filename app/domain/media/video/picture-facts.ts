import { isHdr, type PictureColor } from "./color.ts";
import type { Track } from "./tracks.ts";

export type FirstField = "tff" | "bff";

/** ffprobe names the field that is stored first, then the one that is shown first. */
const FIELD_ORDERS: Record<string, FirstField> = { tt: "tff", bt: "tff", bb: "bff", tb: "bff" };

export function uprightSize(video: Track): { width: number; height: number } {
  const [across = 1, down = 1] = (video.sample_aspect_ratio ?? "1:1").split(":").map(Number);
  const stretch = across > 0 && down > 0 ? across / down : 1;
  const [width, height] = [Math.round((video.width ?? 0) * stretch), video.height ?? 0];
  return Math.abs(rotationOf(video)) % 180 === 90 ? { width: height, height: width } : { width, height };
}

export function rotationOf({ side_data_list = [] }: Track): number {
  return side_data_list.find(({ rotation }) => rotation !== undefined)?.rotation ?? 0;
}

export function claimedFirstField({ field_order = "" }: Track): FirstField | null {
  return FIELD_ORDERS[field_order] ?? null;
}

/** Null unless the track has a profile without a base layer that other decoders can show. */
export function unsupportedDolbyVisionProfile(track: Track): number | null {
  const { dv_profile = null, dv_bl_signal_compatibility_id: base } = dolbyVisionOf(track) ?? {};
  return dv_profile === 5 || (dv_profile === 10 && base === 0) ? dv_profile : null;
}

/** Dolby Vision states the colors of its base layer by a number. Phones label HLG with an older transfer, for old players. */
export function colorOf(track: Track): PictureColor {
  const { color_range, color_space, color_transfer, color_primaries } = track;
  const declared = {
    range: color_range,
    matrix: color_space,
    transfer: color_transfer,
    primaries: color_primaries,
  };
  const number = dolbyVisionOf(track)?.dv_bl_signal_compatibility_id ?? 0;
  const transfer = { 1: "smpte2084", 4: "arib-std-b67", 6: "smpte2084" }[number];
  return isHdr(declared) || transfer === undefined ? declared : { ...declared, transfer };
}

function dolbyVisionOf({ side_data_list = [] }: Track) {
  return side_data_list.find(({ dv_profile }) => dv_profile !== undefined);
}

/** VP8 and VP9 keep transparency apart from the picture, where only libvpx looks. */
const ALPHA_DECODERS: Record<string, string> = { vp8: "libvpx", vp9: "libvpx-vp9" };

export function alphaDecoder({ codec_name = "", tags = {} }: Track): string | null {
  const isTransparent = Object.entries(tags).some(
    ([name, value]) => /^alpha_mode$/i.test(name) && value === "1",
  );
  return (isTransparent && ALPHA_DECODERS[codec_name]) || null;
}

/** The lossless format in which a transparent picture is laid on white. Null for an opaque one. */
export function transparentFormat(track: Track): "gbrap" | "yuva444p" | null {
  if (alphaDecoder(track) !== null || /^yuva/.test(track.pix_fmt ?? "")) return "yuva444p";
  return /^(?:gbrap|ya\d|rgba|bgra|argb|abgr)/.test(track.pix_fmt ?? "") ? "gbrap" : null;
}
