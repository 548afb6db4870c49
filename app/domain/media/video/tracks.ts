import { z } from "zod";
import { cutText } from "#app/texts.ts";
import { ITEM_LIMITS } from "../item-texts.ts";

export const tags = z.record(z.string(), z.string());
/** ffprobe's words about one track, as far as they are used. */
export const track = z.object({
  index: z.number(),
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  codec_tag_string: z.string().optional(),
  profile: z.string().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  pix_fmt: z.string().optional(),
  sample_fmt: z.string().optional(),
  sample_aspect_ratio: z.string().optional(),
  field_order: z.string().optional(),
  has_b_frames: z.number().optional(),
  color_range: z.string().optional(),
  color_space: z.string().optional(),
  color_transfer: z.string().optional(),
  color_primaries: z.string().optional(),
  duration: z.coerce.number().optional(),
  start_time: z.coerce.number().optional(),
  disposition: z.record(z.string(), z.number()).optional(),
  tags: tags.optional(),
  side_data_list: z
    .array(
      z.object({
        rotation: z.number().optional(),
        dv_profile: z.number().optional(),
        dv_bl_signal_compatibility_id: z.number().optional(),
      }),
    )
    .optional(),
});
export type Track = z.infer<typeof track>;

/** Captions that are text, not pictures of text. */
const TEXT_CODECS = ["subrip", "srt", "text", "webvtt", "ass", "ssa", "mov_text"];
const STILLS = ["attached_pic", "timed_thumbnails", "still_image"];
const FOR_SOME = ["comment", "visual_impaired", "descriptions", "karaoke"];
const SAYS_COMMENTARY = /comment|descri(?:ption|bed)|director|kommentar/i;

/** The default one that can be decoded; covers and thumbnails are none. */
export function choosePicture(tracks: Track[]): Track | null {
  return first(tracks.filter(isPicture), [
    (track) => track.pix_fmt !== undefined && hasSize(track),
    isDefault,
  ]);
}

/**
 * The default one of those that can be decoded; among equals one that is no commentary, then the first. MP4 knows no
 * default, and what ffprobe calls so is the first one that is switched on.
 */
export function chooseSound(tracks: Track[]): Track | null {
  const sounds = tracks.filter(
    ({ codec_type, sample_fmt }) => codec_type === "audio" && sample_fmt !== undefined,
  );
  return first(sounds, [
    (track) => !(isOfMp4(track) && isForSome(track)),
    isDefault,
    (track) => !isForSome(track),
  ]);
}

/** A sound that viewers can choose. */
export interface SoundTrack {
  index: number;
  /** BCP 47. */
  language: string;
  /** Unique among the sounds of a video. */
  label: string;
}

/** Each costs a file as long as the video. */
const MAX_SOUNDS = 8;

/** All that can be decoded, the default one first; a line for those beyond the most. */
export function listSounds(tracks: Track[]): { sounds: SoundTrack[]; leftOut: string[] } {
  const chosen = chooseSound(tracks);
  const decoded = tracks.filter(
    ({ codec_type, sample_fmt }) => codec_type === "audio" && sample_fmt !== undefined,
  );
  const ordered = decoded.toSorted((one, other) => Number(other === chosen) - Number(one === chosen));
  const labels = new Set<string>();
  const sounds = ordered.slice(0, MAX_SOUNDS).map((track, at) => {
    const language = languageOf(track);
    const label = labelOf(track, language, "Sound");
    const own = labels.has(label) ? `${label} ${at + 1}` : label;
    labels.add(own);
    return { index: track.index, language, label: own };
  });
  const leftOut =
    ordered.length > MAX_SOUNDS ? [`only ${MAX_SOUNDS} of its ${ordered.length} sounds are taken`] : [];
  return { sounds, leftOut };
}

export interface TextTrack {
  index: number;
  codec: string;
  /** BCP 47. */
  language: string;
  label: string;
}

const MAX_LABEL = 60;

/** One of each language up to the most of an item, and a line for what is left out. `taken`: languages that have captions already. */
export function chooseTexts(tracks: Track[], taken: string[]): { texts: TextTrack[]; leftOut: string[] } {
  const captions = tracks.filter(({ codec_type }) => codec_type === "subtitle");
  const texts: TextTrack[] = [];
  const leftOut: string[] = [];
  const languages = new Set(taken.map((language) => language.toLowerCase()));
  const ranked = rank(captions, [isText, (track) => !is("forced", track), isDefault]);
  for (const track of ranked) {
    const language = languageOf(track);
    const label = labelOf(track, language, "Captions");
    if (!isText(track)) leftOut.push(`captions inside it were left out: ${label} is not text`);
    else if (languages.has(language.toLowerCase()))
      leftOut.push(`captions inside it were left out: there are others in the language of ${label}`);
    else {
      languages.add(language.toLowerCase());
      texts.push({ index: track.index, codec: track.codec_name ?? "", language, label });
    }
  }
  const most = Math.max(0, ITEM_LIMITS.captions - taken.length);
  if (texts.length > most) leftOut.push(`only ${most} of its ${texts.length} captions are taken`);
  return { texts: texts.slice(0, most), leftOut };
}

/** Not a cover or a thumbnail. */
export function isPicture(track: Track): boolean {
  return track.codec_type === "video" && !STILLS.some((use) => is(use, track));
}

function first(tracks: Track[], preferences: ((track: Track) => boolean)[]): Track | null {
  return rank(tracks, preferences)[0] ?? null;
}

/** By the first preference, then the second, and so on; equal ones keep their order. */
function rank(tracks: Track[], preferences: ((track: Track) => boolean)[]): Track[] {
  const points = (track: Track) => preferences.reduce((sum, prefers) => sum * 2 + Number(prefers(track)), 0);
  return [...tracks].sort((one, other) => points(other) - points(one));
}

function is(disposition: string, track: Track): boolean {
  return track.disposition?.[disposition] === 1;
}

function isDefault(track: Track): boolean {
  return is("default", track);
}

function isForSome(track: Track): boolean {
  const { title = "", handler_name = "" } = track.tags ?? {};
  return (
    FOR_SOME.some((use) => is(use, track)) || [title, handler_name].some((name) => SAYS_COMMENTARY.test(name))
  );
}

function isOfMp4({ tags }: Track): boolean {
  return tags?.handler_name !== undefined;
}

function hasSize({ width = 0, height = 0 }: Track): boolean {
  return width > 0 && height > 0;
}

function isText({ codec_name = "" }: Track): boolean {
  return TEXT_CODECS.includes(codec_name);
}

function languageOf({ tags }: Track): string {
  return canonicalLanguage(tags?.language ?? "") ?? "und";
}

/** The tags that a person may write, such as en or pt-BR. */
export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}$/;

/** The shortest tag of a language, which ISO 639-2 names in one or two other ways; null for anything else. */
export function canonicalLanguage(name: string): string | null {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? null;
  } catch {
    return null;
  }
}

function labelOf({ tags }: Track, language: string, unknown: string): string {
  const title = tags?.title?.trim();
  if (title) return cutText(title, MAX_LABEL);
  if (language === "und") return unknown;
  const name = nameOf(language);
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** Intl takes extensions ("en-x-sdh") for a tag of a locale, but has no names for them. */
function nameOf(language: string): string {
  const { baseName } = new Intl.Locale(language);
  return new Intl.DisplayNames([language], { type: "language" }).of(baseName) ?? language;
}
