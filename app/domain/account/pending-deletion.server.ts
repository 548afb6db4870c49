import { and, eq, isNotNull, sql } from "drizzle-orm";
import { addDays, formatDate } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { UNDO_DAYS } from "./undo-days.ts";

export interface PendingDeletion {
  userId: string;
  /** Unix seconds with microseconds, as text from the database; it identifies one request. */
  requestedAt: string;
  deletesAt: Date;
}

export const PENDING = {
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

/** Cancels the deletion request. A subscription that it ended stays ended. */
export async function keepAccount(userId: string): Promise<void> {
  await db
    .update(users)
    .set({ deletionRequestedAt: null })
    .where(and(eq(users.id, userId), isNotNull(users.deletionRequestedAt)));
}
