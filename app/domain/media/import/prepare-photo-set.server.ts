import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { config } from "#app/config.server.ts";
import { count } from "#app/counts.ts";
import { EMPTY_FILE, FILE_LIMITS, largerThan } from "#app/file-limits.ts";
import { ITEM_LIMITS } from "../item-texts.ts";
import { PictureError } from "../picture.server.ts";
import { inTemporaryFolder } from "../storage/temporary.server.ts";
import { storeImages } from "../store-images.server.ts";
import { mediaIdOf } from "./content-id.server.ts";
import { keepOriginal } from "./keep-original.server.ts";
import type { PreparedMedia, PrepareOptions } from "./prepare.ts";
import { ImportRefusal, orRefuse, readSource } from "./refusal.ts";
import type { FoundPhotoSet } from "./scan.server.ts";
import { NOT_UNPACKED, type SetPictures, withSetPictures } from "./set-pictures.server.ts";

export const TOO_MANY_PICTURES = `more than ${count(ITEM_LIMITS.photos, "picture")}`;
/** The check stops after these, because each damaged picture may take minutes. */
const MAX_REFUSED = 20;

export async function checkPhotoFiles(found: FoundPhotoSet): Promise<number> {
  if (found.sidecar.captions) throw new ImportRefusal(found.label, "a photo set cannot have captions");
  if (found.sidecar.chapters) throw new ImportRefusal(found.label, "a photo set cannot have chapters");
  if (found.paths.length > ITEM_LIMITS.photos) throw new ImportRefusal(found.label, TOO_MANY_PICTURES);
  let bytes = 0;
  for (const path of found.paths) {
    await orRefuse(nameOf(found, path), async () => {
      const { size } = await readSource(nameOf(found, path), () => stat(path));
      if (size === 0) throw new PictureError(EMPTY_FILE);
      if (size > FILE_LIMITS.photo) throw new PictureError(largerThan(FILE_LIMITS.photo));
      bytes += size;
    });
  }
  return bytes;
}

/** Decodes every picture, and stores nothing. Throws an ImportRefusal that names the unusable ones. */
export async function checkPhotoSet(found: FoundPhotoSet, options: PrepareOptions): Promise<void> {
  await withPicturesOf(found, options, (pictures) => checkPictures(found, pictures, options));
}

export async function preparePhotoSet(
  found: FoundPhotoSet,
  hashes: { contentHash: string; photoHashes: string[] },
  options: PrepareOptions,
): Promise<PreparedMedia> {
  return withPicturesOf(found, options, async (pictures) => {
    await checkPictures(found, pictures, options);
    return inTemporaryFolder(config.media.workDir, (folder) =>
      storeSet(found, { ...hashes, pictures, folder }, options),
    );
  });
}

function withPicturesOf<Result>(
  { paths }: FoundPhotoSet,
  { signal }: PrepareOptions,
  use: (pictures: SetPictures) => Promise<Result>,
): Promise<Result> {
  return withSetPictures({ count: paths.length, signal }, use);
}

async function checkPictures(
  found: FoundPhotoSet,
  pictures: SetPictures,
  { signal, onWarning }: PrepareOptions,
): Promise<void> {
  const refused: ImportRefusal[] = [];
  for (const path of found.paths) {
    signal.throwIfAborted();
    const label = nameOf(found, path);
    try {
      const warning = await orRefuse(label, () => pictures.check(path));
      if (warning !== null) onWarning(warning, label);
    } catch (error) {
      if (!(error instanceof ImportRefusal)) throw error;
      refused.push(error);
    }
    // When memory is short, the next picture would seem damaged, too.
    if (refused.length === MAX_REFUSED || refused.at(-1)?.message === NOT_UNPACKED) break;
  }
  const [first, ...more] = refused;
  if (first !== undefined) throw new ImportRefusal(first.path, first.message, more);
}

interface Sources {
  contentHash: string;
  photoHashes: string[];
  pictures: SetPictures;
  folder: string;
}

async function storeSet(
  found: FoundPhotoSet,
  { contentHash, photoHashes, pictures, folder }: Sources,
  options: PrepareOptions,
): Promise<PreparedMedia> {
  const mediaId = mediaIdOf(contentHash);
  const [first = ""] = found.paths;
  const { images, color } = await orRefuse(nameOf(found, first), () => pictures.makeCover(first, folder));
  const files = await storeImages(images, { mediaId }, "see");
  const originals = [];
  const photos = [];
  for (const [index, path] of found.paths.entries()) {
    options.signal.throwIfAborted();
    const position = index + 1;
    const label = nameOf(found, path);
    const photo = await orRefuse(label, () => pictures.makePhoto(path, folder, position));
    files.push(...(await storeImages(photo.images, { mediaId }, "view")));
    const { width, height, widest, format } = photo;
    const sha256 = photoHashes[index] ?? "";
    photos.push({
      ...{ number: position, position, sourceHash: sha256 },
      ...{ width, height, widest, color: photo.color },
    });
    const probe = { kind: "photo", format, width, height } as const;
    originals.push(
      ...(await keepOriginal({ path, label, sha256 }, { mediaId, photoNumber: position, probe })),
    );
    options.onProgress(position / found.paths.length);
  }
  const [{ width, height } = { width: 0, height: 0 }] = photos;
  return { mediaId, contentHash, color, width, height, files, originals, video: null, photos };
}

function nameOf({ label }: FoundPhotoSet, path: string): string {
  return join(label, basename(path));
}
