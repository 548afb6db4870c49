import { and, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { addDays, formatDate } from "#app/dates.ts";
import { isSignatureOf, signText } from "#app/domain/keys/keys.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";

export const UNDO_DAYS = 14;

interface PendingDeletion {
  userId: string;
  /** Unix seconds with microseconds, as the database writes them. They identify the request. */
  requestedAt: string;
  deletesAt: Date;
}

export const PENDING_DELETION = {
  userId: users.id,
  requestedAt: sql<string | null>`extract(epoch FROM ${users.deletionRequestedAt})::text`,
  deletesAt: sql`${users.deletionRequestedAt} + make_interval(days => ${UNDO_DAYS})`.mapWith(
    users.deletionRequestedAt,
  ),
};

export const IS_DUE = sql`${users.deletionRequestedAt} <= now() - make_interval(days => ${UNDO_DAYS})`;

export function deletionDay(requestedAt: Date | null): string | null {
  return requestedAt && formatDate(addDays(requestedAt, UNDO_DAYS));
}

/** A subscription that the request ended stays ended. */
export async function keepAccount(userId: string): Promise<void> {
  await db
    .update(users)
    .set({ deletionRequestedAt: null })
    .where(and(eq(users.id, userId), isNotNull(users.deletionRequestedAt)));
}

const PURPOSE = "undo-deletion";

export function undoLink(deletion: PendingDeletion): string {
  return new URL(
    paths.keepAccount({ account: deletion.userId, signature: signText(PURPOSE, factsOf(deletion)) }),
    config.origin,
  ).href;
}

export async function findByUndoLink(userId: string, signature: string): Promise<PendingDeletion | null> {
  if (!z.uuid().safeParse(userId).success) return null;
  const [found] = await db.select(PENDING_DELETION).from(users).where(eq(users.id, userId));
  if (found === undefined || found.requestedAt === null) return null;
  const deletion = { ...found, requestedAt: found.requestedAt };
  return isSignatureOf(PURPOSE, factsOf(deletion), signature) ? deletion : null;
}

function factsOf({ userId, requestedAt }: PendingDeletion): string {
  return JSON.stringify([userId, requestedAt]);
}
