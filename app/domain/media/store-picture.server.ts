import type { MediaType } from "#app/paths.ts";
import { makePortrait } from "./make-portrait.server.ts";
import {
  averageColor,
  cropPixels,
  encode,
  encodeBlur,
  openPicture,
  type PictureInput,
  type Pixels,
} from "./picture.server.ts";
import {
  BLUR_WIDTH,
  COVER_WIDTHS,
  coverHeight,
  fileNames,
  hasCoverShape,
  IMAGE_FORMATS,
  type ImageFormat,
  PHOTO_WIDTHS,
  POSTER_LENGTH,
  photoWidths,
} from "./renditions.ts";
import {
  type CreatorFileRow,
  type MediaFileRow,
  type MediaOwner,
  storeMediaFile,
} from "./store-file.server.ts";
import { storeMadePortrait } from "./store-portrait.server.ts";

const LARGEST_COVER = Math.max(...COVER_WIDTHS);

interface StoredPhoto {
  files: MediaFileRow[];
  /** Size of the original, upright. */
  width: number;
  height: number;
  /** The largest width that was made. */
  widest: number;
  color: string;
  /** The original's, such as "jpeg". */
  format: string;
}

/** `below`: makes only widths below it, and no JPEG. Throws a PictureError before anything is written. */
export async function storePhoto(
  input: PictureInput,
  {
    number,
    needs,
    below = Number.POSITIVE_INFINITY,
    ...owner
  }: MediaOwner & { number: number; needs: "view" | "preview"; below?: number | undefined },
): Promise<StoredPhoto> {
  const { width, height, format, pixels } = await openPicture(input, { widest: Math.max(...PHOTO_WIDTHS) });
  const widths = photoWidths(width);
  const files: MediaFileRow[] = [];
  for (const [size, made] of variants(widths.filter((each) => each < below))) {
    const { data, ...sizes } = await encode(pixels, size, made);
    const name = fileNames.photo(number, size, made);
    files.push(await storeMediaFile(data, { ...owner, ...sizes, name, contentType: mimeType(made), needs }));
  }
  const widest = Math.max(...widths);
  if (widest < below) {
    const { data, ...sizes } = await encode(pixels, widest, "jpeg");
    const facts = { contentType: mimeType("jpeg"), needs: "download" } as const;
    const name = fileNames.photoDownload(number, widest);
    files.push(await storeMediaFile(data, { ...owner, ...sizes, ...facts, name }));
  }
  return { files, width, height, widest, color: await averageColor(pixels), format };
}

/** The cover in the card's ratio, and its blur. Both are open to anyone past the age gate. */
export async function storeCover(
  input: PictureInput,
  { type, ...owner }: MediaOwner & { type: MediaType },
): Promise<{ files: MediaFileRow[]; color: string }> {
  const { pixels } = await openPicture(input);
  const cropped = await cropPixels(pixels, LARGEST_COVER, coverHeight(type, LARGEST_COVER));
  const files: MediaFileRow[] = [];
  for (const [size, format] of variants(COVER_WIDTHS)) {
    const image = await encode(cropped, size, format);
    const facts = {
      ...owner,
      name: fileNames.cover(size, format),
      contentType: mimeType(format),
      needs: "see",
    } as const;
    files.push(await storeMediaFile(image.data, { ...facts, width: image.width, height: image.height }));
  }
  files.push(await storeBlur(cropped, owner, type));
  return { files, color: await averageColor(cropped) };
}

/** The player's poster, unless the cover has the video's shape. It requires the right to view, like the video. */
export async function storePoster(input: PictureInput, owner: MediaOwner): Promise<MediaFileRow[]> {
  const { pixels } = await openPicture(input);
  if (hasCoverShape(pixels)) return [];
  const part = Math.min(1, POSTER_LENGTH / Math.max(pixels.width, pixels.height));
  const { data, width, height } = await encode(pixels, Math.max(1, Math.round(pixels.width * part)), "webp");
  const facts = { name: fileNames.poster(), contentType: mimeType("webp"), needs: "view" } as const;
  return [await storeMediaFile(data, { ...owner, ...facts, width, height })];
}

export async function storePortrait(
  input: PictureInput,
  { creatorId, version }: { creatorId: string; version: string },
): Promise<{ files: CreatorFileRow[]; color: string }> {
  const { pixels } = await openPicture(input);
  return storeMadePortrait(await makePortrait(pixels), { creatorId, version });
}

async function storeBlur(cropped: Pixels, owner: MediaOwner, type: MediaType): Promise<MediaFileRow> {
  const height = coverHeight(type, BLUR_WIDTH);
  const facts = { ...owner, name: fileNames.blur(), contentType: mimeType("webp"), needs: "see" } as const;
  return storeMediaFile(await encodeBlur(cropped, BLUR_WIDTH, height), {
    ...facts,
    width: BLUR_WIDTH,
    height,
  });
}

function variants(widths: readonly number[]): [number, ImageFormat][] {
  return widths.flatMap((width) => IMAGE_FORMATS.map((format): [number, ImageFormat] => [width, format]));
}

function mimeType(format: ImageFormat | "jpeg"): string {
  return `image/${format}`;
}
