import { z } from "zod";
import { ITEM_LIMITS, nameFromFile } from "../item-texts.ts";

export const tags = z.record(z.string(), z.string());
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
  sample_rate: z.string().optional(),
  channels: z.number().optional(),
  channel_layout: z.string().optional(),
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

const TEXT_CODECS = ["subrip", "srt", "text", "webvtt", "ass", "ssa", "mov_text"];
const STILLS = ["attached_pic", "timed_thumbnails", "still_image"];
const FOR_SOME = ["comment", "visual_impaired", "descriptions", "karaoke"];
const SAYS_COMMENTARY = /comment|descri(?:ption|bed)|director|kommentar/i;

export function choosePicture(tracks: Track[]): Track | null {
  return first(tracks.filter(isPicture), [
    (track) => track.pix_fmt !== undefined && hasSize(track),
    isDefault,
  ]);
}

/** Prefers the default, then what is not commentary. MP4 has no default; ffprobe reports its first enabled track as one. */
export function chooseAudio(tracks: Track[]): Track | null {
  return first(decodableAudio(tracks), [
    (track) => !(isOfMp4(track) && isForSome(track)),
    isDefault,
    (track) => !isForSome(track),
  ]);
}

export interface AudioTrack {
  index: number;
  /** The track of the right channel, if the camera recorded each channel as a track. */
  right?: number;
  language: string;
  label: string;
}

/** Each takes a file as long as the video. */
const MAX_AUDIO_TRACKS = 8;
/** The limit of ffmpeg's filter. */
export const MAX_CHANNELS = 64;

/** The first one is the default. `secondsOf`: measured by packets. */
export function listAudioTracks(
  tracks: Track[],
  secondsOf: (track: Track) => number,
): { audioTracks: AudioTrack[]; leftOut: string[] } {
  const chosen = chooseAudio(tracks);
  const decodable = decodableAudio(tracks);
  const all = decodable.filter((track) => track === chosen || (track.channels ?? 0) <= MAX_CHANNELS);
  const ordered: [Track, Track?][] = areChannels(all, secondsOf)
    ? pairsOf(all)
    : all.toSorted((one, other) => Number(other === chosen) - Number(one === chosen)).map((track) => [track]);
  const labels = new Set<string>();
  const audioTracks = ordered.slice(0, MAX_AUDIO_TRACKS).map(([track, right]) => {
    const language = languageOf(track);
    const label = ownLabel(labelOf(track, language, "Audio"), labels);
    return { index: track.index, language, label, ...(right && { right: right.index }) };
  });
  const leftOut =
    ordered.length > MAX_AUDIO_TRACKS
      ? [`only ${MAX_AUDIO_TRACKS} of its ${ordered.length} audio tracks are imported`]
      : [];
  if (all.length < decodable.length)
    leftOut.push(`audio tracks with more than ${MAX_CHANNELS} channels were left out`);
  return { audioTracks, leftOut };
}

/** Cameras record left and right as two tracks without names. */
function areChannels(tracks: Track[], secondsOf: (track: Track) => number): boolean {
  const kindOf = (track: Track) => {
    const { language = "und", title, handler_name } = track.tags ?? {};
    const { codec_name, channels, sample_rate } = track;
    return JSON.stringify([codec_name, channels, sample_rate, language, title, handler_name]);
  };
  const lengths = tracks.map(secondsOf);
  return (
    tracks.length > 0 &&
    tracks.length % 2 === 0 &&
    new Set(tracks.map(kindOf)).size === 1 &&
    tracks[0]?.channels === 1 &&
    !tracks[0].tags?.title &&
    !tracks.some(isForSome) &&
    Math.max(...lengths) - Math.min(...lengths) < SAME_LENGTH_SECONDS
  );
}

const SAME_LENGTH_SECONDS = 0.25;

function pairsOf(tracks: Track[]): [Track, Track?][] {
  return tracks.flatMap((track, at): [Track, Track?][] => (at % 2 === 0 ? [[track, tracks[at + 1]]] : []));
}

export interface TextTrack {
  index: number;
  codec: string;
  language: string;
  label: string;
}

/** An unknown language, one without a code, several, or none. Two such tracks may differ. */
const UNKNOWN = ["und", "mis", "mul", "zxx"];

export function chooseTexts(tracks: Track[], taken: string[]): { texts: TextTrack[]; leftOut: string[] } {
  const captions = tracks.filter(({ codec_type }) => codec_type === "subtitle");
  const texts: TextTrack[] = [];
  const leftOut: string[] = [];
  const languages = new Set(taken.map((language) => language.toLowerCase()));
  const labels = new Set<string>();
  const ranked = rank(captions, [isText, (track) => !is("forced", track), isDefault]);
  for (const track of ranked) {
    const language = UNKNOWN.includes(languageOf(track))
      ? unusedTag(languageOf(track), languages)
      : languageOf(track);
    const label = labelOf(track, language, "Captions");
    if (!isText(track)) leftOut.push(`embedded captions were left out: ${label} is not text`);
    else if (languages.has(language.toLowerCase()))
      leftOut.push(
        `embedded captions were left out: the video already has captions in the language of ${label}`,
      );
    else {
      languages.add(language.toLowerCase());
      const own = ownLabel(label, labels);
      texts.push({ index: track.index, codec: track.codec_name ?? "", language, label: own });
    }
  }
  const most = Math.max(0, ITEM_LIMITS.captions - taken.length);
  if (texts.length > most) leftOut.push(`only ${most} of its ${texts.length} captions are imported`);
  return { texts: texts.slice(0, most), leftOut };
}

/** A language tag is part of a file's name. */
function unusedTag(language: string, used: Set<string>): string {
  let tag = language;
  for (let number = 2; used.has(tag); number += 1) tag = `${language}-x-${number}`;
  return tag;
}

function ownLabel(label: string, used: Set<string>): string {
  let own = label;
  for (let number = 2; used.has(own); number += 1) own = `${label} ${number}`;
  used.add(own);
  return own;
}

export function isPicture(track: Track): boolean {
  return track.codec_type === "video" && !STILLS.some((use) => is(use, track));
}

function decodableAudio(tracks: Track[]): Track[] {
  return tracks.filter(({ codec_type, sample_fmt }) => codec_type === "audio" && sample_fmt !== undefined);
}

function first(tracks: Track[], preferences: ((track: Track) => boolean)[]): Track | null {
  return rank(tracks, preferences)[0] ?? null;
}

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

/** To readers these are different languages, but many files give them one code. */
const VARIANTS: Record<string, Record<string, RegExp>> = {
  zh: {
    "zh-Hans": /simplif|semplif|vereinfach|упрощ|\b(?:hans|chs)\b|[简簡]/i,
    "zh-Hant": /tradi|традиц|\b(?:hant|cht)\b|繁|正[體体]/i,
  },
  sr: { "sr-Latn": /lat/i, "sr-Cyrl": /cyr|[ćћ]ir|[ћк]ир/i },
  pt: { "pt-BR": /bra[sz]il/i, "pt-PT": /portugal|europ/i },
  es: { "es-419": /latin|am[ée]ric/i, "es-ES": /spain|espa[ñn]a|europ|castil|castel/i },
};

/** A title decides only if it names exactly one variant. */
function languageOf({ tags }: Track): string {
  const language = canonicalLanguage(tags?.language ?? "") ?? "und";
  const named = Object.entries(VARIANTS[language] ?? {}).filter(([, name]) => name.test(tags?.title ?? ""));
  return (named.length === 1 ? named[0]?.[0] : undefined) ?? language;
}

export const LANGUAGE_TAG = /^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,2}(?:-x-[A-Za-z0-9]{1,8})?$/;

export function canonicalLanguage(name: string): string | null {
  try {
    return Intl.getCanonicalLocales(name)[0] ?? null;
  } catch {
    return null;
  }
}

function labelOf({ tags }: Track, language: string, unknown: string): string {
  const title = nameFromFile(tags?.title ?? "", ITEM_LIMITS.captionsLabel);
  if (title !== "") return title;
  if (language.startsWith("und")) return unknown;
  return ownNameOf(language);
}

/** As its speakers write it: "Deutsch" for "de". */
export function ownNameOf(language: string): string {
  const name = nameOf(language);
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

/** Intl accepts extensions ("en-x-sdh") but has no names for them. */
function nameOf(language: string): string {
  const { baseName } = new Intl.Locale(language);
  return new Intl.DisplayNames([language], { type: "language" }).of(baseName) ?? language;
}
