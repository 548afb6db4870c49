export const PHOTO_WIDTHS = [480, 960, 1600, 2560, 4096] as const;
/** Covers and portraits always have the card's ratio and both widths, even if the original is smaller. */
export const COVER_WIDTHS = [480, 960] as const;
export const IMAGE_FORMATS = ["avif", "webp"] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const BLUR_WIDTH = 480;
export const POSTER_LONG_SIDE = 1280;

const PHOTO = "photo";
/** Stored names keep this word. */
const AUDIO = "sound";

export const fileStems = {
  cover: "cover",
  blur: "blur",
  portrait: "portrait",
  video: "video",
  rung: "rung",
  audio: AUDIO,
  captions: "captions",
  poster: "poster",
  candidate: "candidate",
  sprite: "sprite",
  hover: "hover",
  trailer: "trailer",
  photo: (number: number) => `${PHOTO}-${number}`,
} as const;

export const fileNames = {
  cover: (width: number, format: ImageFormat) => `${fileStems.cover}-${width}.${format}`,
  blur: () => `${fileStems.blur}-${BLUR_WIDTH}.webp`,
  /** Has the video's shape. Missing when the cover has it, too. */
  poster: () => `${fileStems.poster}.webp`,
  /** `size`: from sizeOf(). */
  video: (size: number) => `video-${size}.mp4`,
  rung: (size: number) => `${fileStems.rung}-${size}.mp4`,
  rungPlaylist: (size: number) => `${fileStems.rung}-${size}.m3u8`,
  /** Audio tracks count from 1, the default one first, and are replaced with their ladder. */
  rungAudio: (number: number) => `${fileStems.rung}-${AUDIO}-${number}.mp4`,
  rungAudioPlaylist: (number: number) => `${fileStems.rung}-${AUDIO}-${number}.m3u8`,
  candidate: (number: number) => `${fileStems.candidate}-${number}.webp`,
  sprite: (number: number) => `${fileStems.sprite}-${number}.webp`,
  spriteTimes: () => `${fileStems.sprite}.vtt`,
  hover: () => `${fileStems.hover}.mp4`,
  trailer: () => `${fileStems.trailer}.mp4`,
  trailerHover: () => `${fileStems.trailer}-${fileStems.hover}.mp4`,
  captions: (language: string) => `${fileStems.captions}-${language}.vtt`,
  photo: (number: number, width: number, format: ImageFormat) =>
    `${fileStems.photo(number)}-${width}.${format}`,
  /** For downloads, because any program opens a JPEG. */
  photoDownload: (number: number, width: number) => `${fileStems.photo(number)}-${width}.jpg`,
  portrait: (width: number, format: ImageFormat) => `${fileStems.portrait}-${width}.${format}`,
} as const;

/** The shorter side, as in "720p". */
export function sizeOf({ width, height }: { width: number; height: number }): number {
  return Math.min(width, height);
}

/** Files of one group are replaced together. */
export function fileGroup(name: string): string {
  const [stem = "", part] = name.split(/[-.]/);
  if (stem === fileStems.blur) return fileStems.cover;
  if (stem === PHOTO) return `${PHOTO}-${part}`;
  return stem === fileStems.captions ? name : stem;
}

export function photoWidths(originalWidth: number): number[] {
  const largest = Math.min(originalWidth, Math.max(...PHOTO_WIDTHS));
  return [...PHOTO_WIDTHS.filter((width) => width < largest), largest];
}

export function coverHeight(type: "video" | "photoSet" | "portrait", width: number): number {
  return type === "video" ? Math.round((width * 9) / 16) : Math.round((width * 5) / 4);
}

/** If not, the video needs a poster of its own, because the player would show the cover small. */
export function hasCoverShape({ width, height }: { width: number; height: number }): boolean {
  const coverRatio = COVER_WIDTHS[0] / coverHeight("video", COVER_WIDTHS[0]);
  return Math.abs(width / height / coverRatio - 1) < 0.02;
}

/** Null for a file that was stored before portraits had versions. */
export function creatorFileVersion(storageKey: string): string | null {
  const [, , version, name] = storageKey.split("/");
  return name === undefined ? null : (version ?? null);
}
