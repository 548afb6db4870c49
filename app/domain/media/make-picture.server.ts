import type { MediaType } from "#app/paths.ts";
import type { MadeImage, MadePhoto, MadePicture } from "./made-picture.ts";
import type { OpenedPicture } from "./picture.server.ts";
import { averageColor, cropPixels, encode, encodeBlur, type Pixels } from "./pixels.server.ts";
import {
  BLUR_WIDTH,
  COVER_WIDTHS,
  coverHeight,
  fileNames,
  hasCoverShape,
  IMAGE_FORMATS,
  type ImageFormat,
  POSTER_LONG_SIDE,
  photoWidths,
} from "./renditions.ts";

// Reads no settings, so that scripts/make-picture.ts can run it: decision 096.

const LARGEST_COVER = Math.max(...COVER_WIDTHS);

export async function makePortrait(pixels: Pixels): Promise<MadePicture> {
  const cropped = await cropPixels(pixels, LARGEST_COVER, coverHeight("portrait", LARGEST_COVER));
  return { color: await averageColor(cropped), images: await cardImages(cropped, fileNames.portrait) };
}

export async function makeCover(pixels: Pixels, type: MediaType): Promise<MadePicture> {
  const cropped = await cropPixels(pixels, LARGEST_COVER, coverHeight(type, LARGEST_COVER));
  const images = await cardImages(cropped, fileNames.cover);
  const blur = { width: BLUR_WIDTH, height: coverHeight(type, BLUR_WIDTH) };
  images.push({
    ...{ name: fileNames.blur(), contentType: mimeType("webp"), ...blur },
    data: await encodeBlur(cropped, blur.width, blur.height),
  });
  return { color: await averageColor(cropped), images };
}

/** `below`: makes only smaller widths, and no JPEG. */
export async function makePhoto(
  { width, height, format, pixels }: OpenedPicture,
  { number, below = Number.POSITIVE_INFINITY }: { number: number; below?: number | undefined },
): Promise<MadePhoto> {
  const images: MadeImage[] = [];
  const widths = photoWidths(width);
  for (const [size, made] of variants(widths.filter((each) => each < below))) {
    images.push(await imageOf(pixels, fileNames.photo(number, size, made), size, made));
  }
  const widest = Math.max(...widths);
  if (widest < below) {
    images.push(await imageOf(pixels, fileNames.photoDownload(number, widest), widest, "jpeg"));
  }
  return { images, width, height, widest, color: await averageColor(pixels), format };
}

export async function makeVideoPoster(pixels: Pixels): Promise<MadeImage[]> {
  if (hasCoverShape(pixels)) return [];
  const part = Math.min(1, POSTER_LONG_SIDE / Math.max(pixels.width, pixels.height));
  const width = Math.max(1, Math.round(pixels.width * part));
  return [await imageOf(pixels, fileNames.poster(), width, "webp")];
}

async function cardImages(
  cropped: Pixels,
  nameOf: (width: number, format: ImageFormat) => string,
): Promise<MadeImage[]> {
  const images: MadeImage[] = [];
  for (const [width, format] of variants(COVER_WIDTHS)) {
    images.push(await imageOf(cropped, nameOf(width, format), width, format));
  }
  return images;
}

async function imageOf(
  pixels: Pixels,
  name: string,
  size: number,
  format: ImageFormat | "jpeg",
): Promise<MadeImage> {
  return { name, contentType: mimeType(format), ...(await encode(pixels, size, format)) };
}

function variants(widths: readonly number[]): [number, ImageFormat][] {
  return widths.flatMap((width) => IMAGE_FORMATS.map((format): [number, ImageFormat] => [width, format]));
}

function mimeType(format: ImageFormat | "jpeg"): string {
  return `image/${format}`;
}
