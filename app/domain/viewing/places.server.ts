import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { views } from "#db/schema/viewing.ts";
import { nowMs } from "./now-ms.server.ts";

export interface Place {
  /** Seconds of a film, number of a photo. */
  progress: number;
  isCompleted: boolean;
}

/** Null when this person never opened it. */
export async function findPlace(userId: string, mediaId: string): Promise<Place | null> {
  const [place] = await db
    .select({
      progress: views.progress,
      isCompleted: sql<boolean>`${views.completedAt} IS NOT NULL`,
    })
    .from(views)
    .where(ownView(userId, mediaId));
  return place ?? null;
}

/** The next play begins at the beginning. Later than every beacon that is still on its way. */
export async function startOver(userId: string, mediaId: string): Promise<void> {
  await db
    .update(views)
    .set({ progress: 0, completedAt: null, hiddenAt: null, sequence: nowMs })
    .where(ownView(userId, mediaId));
}

export async function markAsSeen(userId: string, mediaId: string): Promise<void> {
  await db
    .update(views)
    .set({ completedAt: sql`COALESCE(${views.completedAt}, now())`, sequence: nowMs })
    .where(ownView(userId, mediaId));
}

/** Takes it out of Continue and keeps the place: it comes back when it is played again. */
export async function hideFromContinue(userId: string, mediaId: string): Promise<void> {
  await db.update(views).set({ hiddenAt: sql`now()`, sequence: nowMs }).where(ownView(userId, mediaId));
}

/** Out of the history, place and all. */
export async function forgetView(userId: string, mediaId: string): Promise<void> {
  await db.delete(views).where(ownView(userId, mediaId));
}

export async function forgetAllViews(userId: string): Promise<void> {
  await db.delete(views).where(eq(views.userId, userId));
}

function ownView(userId: string, mediaId: string) {
  return and(eq(views.userId, userId), eq(views.mediaId, mediaId));
}
