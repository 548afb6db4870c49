import { eq, sql } from "drizzle-orm";
import { formatDate } from "#app/dates.ts";
import { revokeAllSessions } from "#app/domain/auth/sessions.server.ts";
import { revokeSignInLinks } from "#app/domain/auth/sign-in.server.ts";
import { endEverything } from "#app/domain/billing/cancellation/end-everything.server.ts";
import { hasOpenCheckout } from "#app/domain/billing/checkout/checkout-rows.server.ts";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { site } from "#app/domain/site/site.server.ts";
import { isLastOwner } from "#app/domain/staff/roles.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { deletionMail } from "./deletion-mail.tsx";
import { PENDING_DELETION, undoLink } from "./pending-deletion.server.ts";

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
