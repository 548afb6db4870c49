import type { MediaType } from "#app/paths.ts";
import type { MadePhoto } from "./made-picture.ts";
import { makeCover, makePhoto, makePortrait, makeVideoPoster } from "./make-picture.server.ts";
import { openPicture, type PictureInput } from "./picture.server.ts";
import { PHOTO_WIDTHS } from "./renditions.ts";
import type { CreatorFileRow, MediaFileRow, MediaOwner } from "./store-file.server.ts";
import { storeImages } from "./store-images.server.ts";
import { storeMadePortrait } from "./store-portrait.server.ts";

interface StoredPhoto extends Omit<MadePhoto, "images"> {
  files: MediaFileRow[];
}

/** `below`: see makePhoto(). Throws a PictureError before anything is written. */
export async function storePhoto(
  input: PictureInput,
  {
    number,
    needs,
    below,
    ...owner
  }: MediaOwner & { number: number; needs: "view" | "preview"; below?: number | undefined },
): Promise<StoredPhoto> {
  const opened = await openPicture(input, { widest: Math.max(...PHOTO_WIDTHS) });
  const { images, ...facts } = await makePhoto(opened, { number, below });
  return { files: await storeImages(images, owner, needs), ...facts };
}

/** The cover and its blur are open to everyone past the age gate. */
export async function storeCover(
  input: PictureInput,
  { type, ...owner }: MediaOwner & { type: MediaType },
): Promise<{ files: MediaFileRow[]; color: string }> {
  const { images, color } = await makeCover((await openPicture(input)).pixels, type);
  return { files: await storeImages(images, owner, "see"), color };
}

/** Stores nothing when the cover has the video's shape. */
export async function storePoster(input: PictureInput, owner: MediaOwner): Promise<MediaFileRow[]> {
  return storeImages(await makeVideoPoster((await openPicture(input)).pixels), owner, "view");
}

export async function storePortrait(
  input: PictureInput,
  { creatorId, version }: { creatorId: string; version: string },
): Promise<{ files: CreatorFileRow[]; color: string }> {
  const { pixels } = await openPicture(input);
  return storeMadePortrait(await makePortrait(pixels), { creatorId, version });
}
