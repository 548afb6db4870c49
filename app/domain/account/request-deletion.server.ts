import { and, eq, isNotNull, sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { addDays, formatDate } from "#app/dates.ts";
import { revokeAllSessions } from "#app/domain/auth/sessions.server.ts";
import { revokeSignInLinks } from "#app/domain/auth/sign-in.server.ts";
import { endEverything } from "#app/domain/billing/cancellation/end-everything.server.ts";
import { hasOpenCheckout } from "#app/domain/billing/checkout/checkout-rows.server.ts";
import { isSignatureOf, signText } from "#app/domain/keys/keys.server.ts";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import { isLastOwner } from "#app/domain/staff/roles.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { deletionMail } from "./deletion-mail.tsx";

export const UNDO_DAYS = 14;
/** In hours: a day of the server's time zone can have 23 or 25. */
const UNDO_TIME = sql`make_interval(hours => ${UNDO_DAYS * 24})`;

interface PendingDeletion {
  userId: string;
  /** Unix seconds with microseconds, as the database writes them. They identify the request. */
  requestedAt: string;
  deletesAt: Date;
}

const PENDING_DELETION = {
  userId: users.id,
  requestedAt: sql<string | null>`extract(epoch FROM ${users.deletionRequestedAt})::text`,
  deletesAt: sql`${users.deletionRequestedAt} + ${UNDO_TIME}`.mapWith(users.deletionRequestedAt),
};

export const IS_DUE = sql`${users.deletionRequestedAt} <= now() - ${UNDO_TIME}`;

/** The account is marked for deletion only when this returns "requested". */
export async function requestDeletion(
  userId: string,
): Promise<"requested" | "unreachable" | "unknownToProvider" | "openPurchase" | "lastOwner"> {
  // Asked before anything ends, and again below, because another owner may resign meanwhile.
  if (await isLastOwner(userId)) return "lastOwner";
  const ended = await endEverything(userId);
  if (ended !== "done") return ended;
  return db.transaction(async (tx) => {
    if (await isLastOwner(userId, tx)) return "lastOwner";
    // The lock keeps purchases from starting; afterwards the deletion mark prevents them.
    const [user] = await tx
      .select({ email: users.email, requestedAt: users.deletionRequestedAt })
      .from(users)
      .where(eq(users.id, userId))
      .for("update");
    if (user === undefined || user.requestedAt !== null) return "requested";
    if (await hasOpenCheckout(tx, userId)) return "openPurchase";
    const [pending] = await tx
      .update(users)
      .set({ deletionRequestedAt: sql`now()` })
      .where(eq(users.id, userId))
      .returning(PENDING_DELETION);
    if (pending === undefined || pending.requestedAt === null) throw new Error("The account was not marked");
    await revokeAllSessions(userId, tx);
    await revokeSignInLinks(user.email, tx);
    const mail = await deletionMail(user.email, {
      siteName: site.name,
      deletesOn: formatDate(pending.deletesAt),
      undoLink: undoLink({ ...pending, requestedAt: pending.requestedAt }),
    });
    await enqueueMail(mail, tx);
    return "requested";
  });
}

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
