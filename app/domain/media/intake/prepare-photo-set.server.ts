import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { ITEM_LIMITS } from "../item-texts.ts";
import { checkPicture, PictureError } from "../picture.server.ts";
import { storeCover, storePhoto } from "../store-picture.server.ts";
import { mediaIdOf } from "./content-id.server.ts";
import { keepOriginal } from "./keep-original.server.ts";
import type { PreparedMedia, PrepareOptions } from "./prepare.ts";
import { Refusal, readPicture, readSource } from "./refusal.ts";
import type { FoundPhotoSet } from "./scan.server.ts";

const MAX_BYTES = 300 * 1024 ** 2;

/** Runs before any picture is read. Returns the bytes of all. Throws a Refusal. */
export async function checkPhotoFiles(found: FoundPhotoSet): Promise<number> {
  if (found.sidecar.captions) throw new Refusal(found.label, "a photo set has no captions");
  if (found.sidecar.chapters) throw new Refusal(found.label, "a photo set has no chapters");
  const most = ITEM_LIMITS.photos;
  if (found.paths.length > most) throw new Refusal(found.label, `more than ${most} pictures`);
  let bytes = 0;
  for (const path of found.paths) {
    await readPicture(nameOf(found, path), async () => {
      const { size } = await readSource(nameOf(found, path), () => stat(path));
      if (size === 0) throw new PictureError("the file is empty");
      if (size > MAX_BYTES) throw new PictureError(`larger than ${MAX_BYTES / 1024 ** 2} MB`);
      bytes += size;
    });
  }
  return bytes;
}

/** Read-only; decodes every picture. Throws a Refusal for the first unusable one. */
export async function checkPhotoSet(
  found: FoundPhotoSet,
  { signal, onWarning }: PrepareOptions,
): Promise<void> {
  for (const path of found.paths) {
    signal.throwIfAborted();
    const label = nameOf(found, path);
    const warning = await readPicture(label, () => checkPicture(path));
    if (warning !== null) onWarning(warning, label);
  }
}

export async function preparePhotoSet(
  found: FoundPhotoSet,
  { contentHash, photoHashes }: { contentHash: string; photoHashes: string[] },
  options: PrepareOptions,
): Promise<PreparedMedia> {
  await checkPhotoSet(found, options);
  const mediaId = mediaIdOf(contentHash);
  const [first = ""] = found.paths;
  const cover = await readPicture(nameOf(found, first), () =>
    storeCover(first, { mediaId, type: "photoSet" }),
  );
  const files = [...cover.files];
  const originals = [];
  const photos = [];
  for (const [index, path] of found.paths.entries()) {
    options.signal.throwIfAborted();
    const position = index + 1;
    const label = nameOf(found, path);
    const photo = await readPicture(label, () =>
      storePhoto(path, { mediaId, number: position, needs: "view" }),
    );
    files.push(...photo.files);
    const { width, height, widest, color, format } = photo;
    const sha256 = photoHashes[index] ?? "";
    photos.push({ number: position, position, sourceHash: sha256, width, height, widest, color });
    const probe = { kind: "photo", format, width, height } as const;
    originals.push(
      ...(await keepOriginal({ path, label, sha256 }, { mediaId, photoNumber: position, probe })),
    );
    options.onProgress(position / found.paths.length);
  }
  const [{ width, height } = { width: 0, height: 0 }] = photos;
  const { color } = cover;
  return { mediaId, contentHash, color, width, height, files, originals, video: null, photos };
}

function nameOf({ label }: FoundPhotoSet, path: string): string {
  return join(label, basename(path));
}
