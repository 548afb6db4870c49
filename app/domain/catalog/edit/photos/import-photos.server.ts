import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { makeItemPhoto } from "#app/domain/media/item-pictures.server.ts";
import { generatedAlt, ITEM_LIMITS } from "#app/domain/media/item-texts.ts";
import type { MadePhoto } from "#app/domain/media/made-picture.ts";
import { fileGroup, fileStems } from "#app/domain/media/renditions.ts";
import { readChecksums } from "#app/domain/media/storage/checksums.server.ts";
import { deleteStored, mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { StoredAt } from "#app/domain/media/storage/storage.ts";
import { type MediaFileRow, originalKey } from "#app/domain/media/store-file.server.ts";
import { storeImages } from "#app/domain/media/store-images.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { AuditAction } from "#app/domain/staff/audit-actions.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { number, readRows, text } from "#db/rows.ts";
import { photos } from "#db/schema/catalog.ts";
import { mediaOriginals } from "#db/schema/catalog-files.ts";
import { photoVersion } from "../../media/photos.server.ts";
import { RETIRED_HOURS } from "../../media/served-file.server.ts";
import { claimFileVersion, dropUnusedVersion, replaceFiles } from "../files/replace-files.server.ts";
import { changeItem, openItem } from "../item/change-item.server.ts";
import type { EditedItem } from "../item/items.server.ts";
import { DELETED } from "../states/media-states.ts";
import { FULL_SET, writeOrder } from "./photo-order.server.ts";

// A photo is stored together with its original or not at all. These functions throw as runPictureProgram() does.

export const REPLACED = "Someone else replaced this photo in the meantime. Check it, then send yours again.";

/** An uploaded picture. Keeping the original moves the file. */
export interface NewPhoto {
  path: string;
  fileName: string;
}

/** Adds the photo at the end. Null when done, otherwise a sentence. */
export function addPhoto(actor: Actor, mediaId: string, file: NewPhoto): Promise<string | null> {
  return importPhoto({ actor, mediaId, file, numberIn: nextNumber }, async (tx, item, imported) => {
    const set = await readSet(tx, mediaId);
    const problem = duplicateProblem(set, imported.sha256);
    if (problem !== null) return problem;
    const present = set.filter(({ position }) => position !== null);
    if (present.length >= ITEM_LIMITS.photos) return FULL_SET;
    const number = nextNumber(set);
    const position = present.length + 1;
    const id = randomUUID();
    await tx.insert(photos).values({
      ...{
        id,
        mediaId,
        number,
        sourceHash: imported.sha256,
        alt: generatedAlt(item.title, position, position),
      },
      ...factsOf(imported.made),
      // writeOrder() gives it its position.
      ...{ position: null, leftOutAt: sql`clock_timestamp()` },
    });
    await writeFiles(tx, mediaId, number, imported);
    await writeOrder(tx, mediaId, [...present.map((photo) => photo.id), id]);
    await record(tx, actor, "media.photoAdded", item, { photo: position, number });
    return null;
  });
}

/** The photo keeps its position, address and text. `opened`: the version in the form. Null when done, otherwise a sentence. */
export function replacePhoto(
  actor: Actor,
  mediaId: string,
  { photo: photoId, opened }: { photo: string; opened: number },
  file: NewPhoto,
): Promise<string | null> {
  const numberIn = (set: PhotoRow[]) => set.find(({ id }) => id === photoId)?.number ?? nextNumber(set);
  return importPhoto({ actor, mediaId, file, numberIn }, async (tx, item, imported) => {
    const set = await readSet(tx, mediaId);
    const photo = set.find(({ id }) => id === photoId);
    if (photo === undefined || photo.position === null) {
      return "This photo is no longer in the set. Load the page again.";
    }
    if (photo.version !== opened) {
      return REPLACED;
    }
    const problem = duplicateProblem(set, imported.sha256);
    if (problem !== null) return problem;
    await tx
      .update(photos)
      .set({ ...factsOf(imported.made), sourceHash: imported.sha256 })
      .where(eq(photos.id, photoId));
    await dropOriginal(tx, mediaId, photo.number);
    await writeFiles(tx, mediaId, photo.number, imported);
    // A cover made from it stays, and can no longer be made again.
    await tx.execute(sql`
      UPDATE media SET cover_source = '{"kind":"picture"}' WHERE id = ${mediaId}
        AND COALESCE(cover_source, jsonb_build_object('kind', 'photo', 'number', ${firstOf(set)}::int))
          = jsonb_build_object('kind', 'photo', 'number', ${photo.number}::int)`);
    const { position, number } = photo;
    await record(tx, actor, "media.photoReplaced", item, { photo: position, number });
    return null;
  });
}

function factsOf({ width, height, widest, color }: MadePhoto) {
  return { width, height, widest, color };
}

interface ImportedPhoto {
  number: number;
  sha256: string;
  made: MadePhoto;
  files: MediaFileRow[];
  original: (StoredAt & { bytes: number; fileName: string }) | null;
}

const PhotoRow = z.object({
  id: text,
  number,
  position: number.nullable(),
  sourceHash: text,
  version: number,
});
type PhotoRow = z.infer<typeof PhotoRow>;

interface PhotoImport {
  actor: Actor;
  mediaId: string;
  file: NewPhoto;
  /** For the stored files. Another photo may get the number before the row is written. */
  numberIn: (set: PhotoRow[]) => number;
}

/** Files are stored before the transaction, which must be short. `store` runs with the item locked. */
async function importPhoto(
  { actor, mediaId, file, numberIn }: PhotoImport,
  store: (tx: Transaction, item: EditedItem, imported: ImportedPhoto) => Promise<string | null>,
): Promise<string | null> {
  const item = await openItem(actor, mediaId);
  if (typeof item === "string") return item;
  if (item.type !== "photoSet") return "Only a photo set can have photos.";
  const { sha256 } = await readChecksums(createReadStream(file.path));
  const set = await readSet(db, mediaId);
  // Before the decoding, which takes seconds.
  const problem = duplicateProblem(set, sha256);
  if (problem !== null) return problem;
  const number = numberIn(set);
  const made = await makeItemPhoto(file.path, number);
  const version = await claimFileVersion(mediaId);
  if (version === null) return DELETED;
  const storageKey = originalKey(mediaId, number, version);
  try {
    const files = await storeImages(made.images, { mediaId, version }, "view");
    const stored = config.media.keepsOriginals
      ? await mediaStorage.put(storageKey, { path: file.path })
      : null;
    const original = stored && {
      ...{ storageKey, fileName: file.fileName },
      ...{ storage: stored.storage, bytes: stored.bytes },
    };
    const imported = { number, sha256, made, files, original };
    return await changeItem(actor, mediaId, (tx, locked) => store(tx, locked, imported));
  } finally {
    await dropUnusedVersion(mediaId, version);
    await dropUnusedOriginal(storageKey);
  }
}

function nextNumber(set: PhotoRow[]): number {
  return Math.max(0, ...set.map((photo) => photo.number)) + 1;
}

/** Storage keys keep the number they were stored with; the version makes them unique. */
async function writeFiles(
  tx: Transaction,
  mediaId: string,
  number: number,
  { number: storedAs, sha256, made, files, original }: ImportedPhoto,
): Promise<void> {
  const named = files.map((file) => ({
    ...file,
    name: file.name.replace(fileStems.photo(storedAs), fileStems.photo(number)),
  }));
  // replaceFiles() writes the rights.
  await replaceFiles(tx, mediaId, named, { groups: [fileGroup(`${fileStems.photo(number)}-`)] });
  if (original === null) return;
  const { format, width, height } = made;
  await tx.insert(mediaOriginals).values({
    ...{ mediaId, photoNumber: number, sha256, ...original },
    probe: { kind: "photo", format, width, height },
  });
}

async function dropOriginal(tx: Transaction, mediaId: string, number: number): Promise<void> {
  const storageKeys = await readRows(tx, text)`
    DELETE FROM media_originals WHERE media_id = ${mediaId} AND photo_number = ${number}
    RETURNING storage_key`;
  if (storageKeys.length === 0) return;
  // It stays as long as the files that were made from it.
  const later = { afterSeconds: RETIRED_HOURS * 3_600 };
  await enqueue("delete-retired-files", { mediaId, storageKeys }, tx, later);
}

async function readSet(executor: Transaction | typeof db, mediaId: string): Promise<PhotoRow[]> {
  return readRows(executor, PhotoRow)`
    SELECT p.id, p.number, p.position, ${photoVersion} AS version, p.source_hash AS "sourceHash"
    FROM photos p WHERE p.media_id = ${mediaId} ORDER BY p.position NULLS LAST, p.number`;
}

function duplicateProblem(set: PhotoRow[], sha256: string): string | null {
  const same = set.find(({ sourceHash }) => sourceHash === sha256);
  if (same === undefined) return null;
  return same.position === null
    ? "This photo is already in the set, but left out. Bring it back instead."
    : `This photo is already in the set, as photo ${same.position}.`;
}

/** The import makes the cover from the first photo. */
function firstOf(set: PhotoRow[]): number {
  return Math.min(...set.map(({ number }) => number));
}

async function record(
  tx: Transaction,
  actor: Actor,
  action: AuditAction,
  { id, title }: EditedItem,
  facts: { photo: number; number: number },
): Promise<void> {
  const subject = { subjectKind: "media", subjectId: id, subjectName: title } as const;
  await recordAudit(tx, { actor, action, ...subject, after: facts });
}

async function dropUnusedOriginal(storageKey: string): Promise<void> {
  try {
    const [used] = await db.execute(sql`SELECT FROM media_originals WHERE storage_key = ${storageKey}`);
    if (used === undefined) await deleteStored(storageKey);
  } catch {
    // The check of files finds leftovers.
  }
}
