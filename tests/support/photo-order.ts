import { sql } from "drizzle-orm";
import {
  type Arrangement,
  type ArrangeResult,
  arrangePhotos,
} from "#app/domain/catalog/edit/photos/photo-order.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db } from "#db/client.server.ts";

/** Null when it is done, else a sentence. */
export async function leaveOutPhoto(actor: Actor, mediaId: string, photoId: string): Promise<string | null> {
  const field = `isLeftOut-${photoId}`;
  return problemIn(await arrangePhotos(actor, mediaId, { [field]: false }, { [field]: true }));
}

/** `photoIds`: every photo of the set that is not left out. Null when it is done, else a sentence. */
export async function reorderPhotos(
  actor: Actor,
  mediaId: string,
  photoIds: string[],
): Promise<string | null> {
  const rows = await db.execute<{ id: string; position: number }>(
    sql`SELECT id, position FROM photos WHERE media_id = ${mediaId} AND position IS NOT NULL`,
  );
  const opened = positionsOf(rows.map(({ id, position }) => [id, position]));
  const sent = positionsOf(photoIds.map((id, index) => [id, index + 1]));
  return problemIn(await arrangePhotos(actor, mediaId, opened, sent));
}

function positionsOf(photos: [id: string, position: number][]): Arrangement {
  return Object.fromEntries(photos.map(([id, position]) => [`position-${id}`, position]));
}

function problemIn(result: ArrangeResult): string | null {
  if (result.saved) return null;
  return "problem" in result ? result.problem : "Somebody has changed it meanwhile.";
}
