import { sql } from "drizzle-orm";
import type { SavedPart } from "#app/domain/catalog/edit/item/save-part.server.ts";
import {
  type PhotoValues,
  photosVersion,
  type SentPhoto,
  savePhotos,
} from "#app/domain/catalog/edit/photos/save-photos.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";

export interface EditedPhoto {
  id: string;
  number: number;
  position: number | null;
  alt: string;
  isPreview: boolean;
}

/** In their order, with those that are left out last. */
export async function photosOf(mediaId: string): Promise<EditedPhoto[]> {
  const rows = await db.execute<EditedPhoto & Record<string, unknown>>(sql`
    SELECT id, number, position, alt, is_preview AS "isPreview" FROM photos WHERE media_id = ${mediaId}
    ORDER BY position NULLS LAST, number`);
  return rows.map((row) => ({ ...row }));
}

type Changes = Record<string, Partial<Omit<SentPhoto, "id">>>;

/** Sends the form of the photos with these ids. `opened`: what it was opened with. */
export async function editPhotos(
  actor: Actor,
  mediaId: string,
  changes: Changes,
  opened?: EditedPhoto[],
): Promise<SavedPart<PhotoValues>> {
  const photos = (opened ?? (await photosOf(mediaId))).filter(({ id }) => id in changes);
  const sent = photos.map(({ id, alt, isPreview }) => {
    return { id, alt, isPreview, isLeftOut: false, moveTo: null, ...changes[id] };
  });
  return savePhotos(actor, mediaId, photosVersion(photos), { photos: sent, broughtBack: [] });
}

/** Null when it is done, else a sentence. */
export async function leaveOutPhoto(actor: Actor, mediaId: string, photoId: string): Promise<string | null> {
  return problemIn(await editPhotos(actor, mediaId, { [photoId]: { isLeftOut: true } }));
}

export async function bringBackPhoto(actor: Actor, mediaId: string, photoId: string): Promise<string | null> {
  return problemIn(await savePhotos(actor, mediaId, "", { photos: [], broughtBack: [photoId] }));
}

/** `photoIds`: every photo of the set that is not left out. */
export async function reorderPhotos(
  actor: Actor,
  mediaId: string,
  photoIds: string[],
): Promise<string | null> {
  const moves = photoIds.map((id, index) => [id, { moveTo: index + 1 }]);
  return problemIn(await editPhotos(actor, mediaId, Object.fromEntries(moves)));
}

function problemIn(result: SavedPart<PhotoValues>): string | null {
  if (result.saved) return null;
  return "errors" in result ? Object.values(result.errors).join(" ") : "Somebody has changed it meanwhile.";
}
