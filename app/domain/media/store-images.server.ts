import type { Right } from "#app/domain/access/access.ts";
import type { MadeImage } from "./made-picture.ts";
import type { StorageSource } from "./storage/storage.ts";
import { type MediaFileRow, type MediaOwner, storeMediaFile } from "./store-file.server.ts";

/** `needs`: for images on pages. JPEGs are downloads. */
export async function storeImages(
  images: (Omit<MadeImage, "data"> & { data: StorageSource })[],
  owner: MediaOwner,
  needs: Right,
): Promise<MediaFileRow[]> {
  const files: MediaFileRow[] = [];
  for (const { data, ...facts } of images) {
    const right = facts.contentType === "image/jpeg" ? "download" : needs;
    files.push(await storeMediaFile(data, { ...owner, ...facts, needs: right }));
  }
  return files;
}
