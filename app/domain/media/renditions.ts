export const PHOTO_WIDTHS = [480, 960, 1600, 2560, 4096] as const;
/** Covers and portraits are cropped to the card's ratio and exist in both widths, whatever the original's size. */
export const COVER_WIDTHS = [480, 960] as const;
export const IMAGE_FORMATS = ["avif", "webp"] as const;
export type ImageFormat = (typeof IMAGE_FORMATS)[number];

export const BLUR_WIDTH = 480;
export const POSTER_LONG_SIDE = 1280;

const PHOTO = "photo";
const SOUND = "sound";

export const fileStems = {
  cover: "cover",
  blur: "blur",
  portrait: "portrait",
  video: "video",
  rung: "rung",
  sound: SOUND,
  candidate: "candidate",
  sprite: "sprite",
  hover: "hover",
  trailer: "trailer",
  photo: (number: number) => `${PHOTO}-${number}`,
} as const;

export const fileNames = {
  cover: (width: number, format: ImageFormat) => `${fileStems.cover}-${width}.${format}`,
  blur: () => `${fileStems.blur}-${BLUR_WIDTH}.webp`,
  /** In the video's own shape. Missing when the cover has it, too. */
  poster: () => "poster.webp",
  /** `quality` is the shorter side, as in "720p". */
  video: (quality: number) => `video-${quality}.mp4`,
  /** One size of the ladder, and its playlist. */
  rung: (quality: number) => `${fileStems.rung}-${quality}.mp4`,
  rungPlaylist: (quality: number) => `${fileStems.rung}-${quality}.m3u8`,
  /** One of several sounds, from 1, the default one first. They belong to the ladder, and are replaced with it. */
  rungSound: (number: number) => `${fileStems.rung}-${SOUND}-${number}.mp4`,
  rungSoundPlaylist: (number: number) => `${fileStems.rung}-${SOUND}-${number}.m3u8`,
  /** From which a cover may be chosen. */
  candidate: (number: number) => `${fileStems.candidate}-${number}.webp`,
  /** A sheet of small pictures, and which of them shows which second. */
  sprite: (number: number) => `${fileStems.sprite}-${number}.webp`,
  spriteTimes: () => `${fileStems.sprite}.vtt`,
  hover: () => `${fileStems.hover}.mp4`,
  /** A part of a video for those who may not view it, and what a list shows of that. */
  trailer: () => `${fileStems.trailer}.mp4`,
  trailerHover: () => `${fileStems.trailer}-${fileStems.hover}.mp4`,
  captions: (language: string) => `captions-${language}.vtt`,
  photo: (number: number, width: number, format: ImageFormat) =>
    `${fileStems.photo(number)}-${width}.${format}`,
  /** For downloads, which other programs open. */
  photoDownload: (number: number, width: number) => `${fileStems.photo(number)}-${width}.jpg`,
  portrait: (width: number, format: ImageFormat) => `${fileStems.portrait}-${width}.${format}`,
} as const;

/** Files of one group are replaced together. The cover and its blur are one, and all sizes of a video or of a photo. */
export function fileGroup(name: string): string {
  const [stem = "", part] = name.split(/[-.]/);
  if (stem === fileStems.blur) return fileStems.cover;
  if (stem === PHOTO) return `${PHOTO}-${part}`;
  return stem === "captions" ? name : stem;
}

/** The original's width, up to the largest, and the usual widths below it. */
export function photoWidths(originalWidth: number): number[] {
  const largest = Math.min(originalWidth, Math.max(...PHOTO_WIDTHS));
  return [...PHOTO_WIDTHS.filter((width) => width < largest), largest];
}

/** 16:9 for videos, 4:5 for sets and portraits. */
export function coverHeight(type: "video" | "photoSet" | "portrait", width: number): number {
  return type === "video" ? Math.round((width * 9) / 16) : Math.round((width * 5) / 4);
}

/** Otherwise the card's crop hides much of the video, or the player shows it small. */
export function hasCoverShape({ width, height }: { width: number; height: number }): boolean {
  const coverRatio = COVER_WIDTHS[0] / coverHeight("video", COVER_WIDTHS[0]);
  return Math.abs(width / height / coverRatio - 1) < 0.02;
}

/** Null for a file without one. */
export function creatorFileVersion(storageKey: string): string | null {
  return /^creators\/[^/]+\/([^/]+)\/[^/]+$/.exec(storageKey)?.[1] ?? null;
}
