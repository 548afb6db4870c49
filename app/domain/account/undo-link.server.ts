import { eq } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { isSignatureOf, signText } from "#app/domain/keys/keys.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { PENDING, type PendingDeletion } from "./pending-deletion.server.ts";

const PURPOSE = "undo-deletion";

export function undoLink(deletion: PendingDeletion): string {
  return new URL(
    paths.keepAccount({ account: deletion.userId, signature: signText(PURPOSE, factsOf(deletion)) }),
    config.origin,
  ).href;
}

/** Null for an invalid link, and when the deletion was cancelled or done meanwhile. */
export async function findByUndoLink(userId: string, signature: string): Promise<PendingDeletion | null> {
  if (!z.uuid().safeParse(userId).success) return null;
  const [found] = await db.select(PENDING).from(users).where(eq(users.id, userId));
  if (found === undefined || found.requestedAt === null) return null;
  const deletion = { ...found, requestedAt: found.requestedAt };
  return isSignatureOf(PURPOSE, factsOf(deletion), signature) ? deletion : null;
}

function factsOf({ userId, requestedAt }: PendingDeletion): string {
  return JSON.stringify([userId, requestedAt]);
}
