import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { nowMs } from "#db/clock.server.ts";
import { views } from "#db/schema/viewing.ts";

// `sequence: nowMs` makes every report that is still on its way late.

export async function startOver(userId: string, mediaId: string): Promise<void> {
  await db
    .update(views)
    .set({ progress: 0, reportedProgress: 0, completedAt: null, hiddenAt: null, sequence: nowMs })
    .where(ownView(userId, mediaId));
}

export async function markAsCompleted(userId: string, mediaId: string): Promise<void> {
  await db
    .update(views)
    .set({ completedAt: sql`COALESCE(${views.completedAt}, now())`, sequence: nowMs })
    .where(ownView(userId, mediaId));
}

/** Keeps the progress. The item returns to Continue when it is played again. */
export async function hideFromContinue(userId: string, mediaId: string): Promise<void> {
  await db.update(views).set({ hiddenAt: sql`now()`, sequence: nowMs }).where(ownView(userId, mediaId));
}

export async function forgetView(userId: string, mediaId: string): Promise<void> {
  await db.delete(views).where(ownView(userId, mediaId));
}

export async function forgetAllViews(userId: string): Promise<void> {
  await db.delete(views).where(eq(views.userId, userId));
}

function ownView(userId: string, mediaId: string) {
  return and(eq(views.userId, userId), eq(views.mediaId, mediaId));
}
