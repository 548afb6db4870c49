import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { normalizeName } from "#app/domain/media/item-texts.ts";
import { creatorFileVersion } from "#app/domain/media/renditions.ts";
import { deleteCreatorFiles, FILES_STAY_SECONDS } from "#app/domain/media/store-file.server.ts";
import { type StoredPortrait, storeUploadedPortrait } from "#app/domain/media/store-portrait.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { creatorFiles } from "#db/schema/catalog-files.ts";
import { UUID } from "../../media/served-file.server.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { creatorErrors } from "./creator-sections.ts";
import { lockCreator, NO_CREATOR } from "./edit-creators.server.ts";

/** Null when done, otherwise the field that is wrong and a sentence. Throws as runPictureProgram() does. */
export async function savePortrait(
  actor: Actor,
  creatorId: string,
  bytes: Uint8Array,
  alt: string,
): Promise<Record<string, string> | null> {
  const portraitAlt = normalizeName(alt);
  const errors = creatorErrors("portrait", { portraitAlt });
  if (Object.keys(errors).length > 0) return errors;
  const refusal = await mayChange(actor, creatorId);
  if (refusal !== null) return { form: refusal };
  const problem = await putPortrait(
    actor,
    creatorId,
    (owner) => storeUploadedPortrait(bytes, owner),
    portraitAlt,
  );
  return problem === null ? null : { form: problem };
}

/**
 * Null when done, otherwise a sentence. Without `portraitAlt` the present text stays, or becomes the name if there is none.
 * Throws as `store` does.
 */
export async function putPortrait(
  actor: Actor,
  creatorId: string,
  store: (owner: { creatorId: string; version: string }) => Promise<StoredPortrait>,
  portraitAlt: string | null,
): Promise<string | null> {
  const version = randomUUID();
  try {
    return await replaceFiles(actor, creatorId, { ...(await store({ creatorId, version })), portraitAlt });
  } finally {
    // The check of files finds any that stay.
    await dropUnused(creatorId, version).catch(() => {});
  }
}

/** Looks at the rows: after a lost connection, only they show whether the change was committed. */
async function dropUnused(creatorId: string, version: string): Promise<void> {
  const rows = await db.select().from(creatorFiles).where(eq(creatorFiles.creatorId, creatorId));
  const isUsed = rows.some(({ storageKey }) => creatorFileVersion(storageKey) === version);
  if (!isUsed) await deleteCreatorFiles(creatorId, version);
}

/** Null when done, or when there was none; otherwise a sentence. */
export async function removePortrait(actor: Actor, creatorId: string): Promise<string | null> {
  const refusal = await mayChange(actor, creatorId);
  return refusal ?? replaceFiles(actor, creatorId, null);
}

async function mayChange(actor: Actor, creatorId: string): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  const [known] = UUID.test(creatorId)
    ? await db.execute(sql`SELECT FROM creators WHERE id = ${creatorId}`)
    : [];
  return known ? null : NO_CREATOR;
}

interface NewPortrait extends StoredPortrait {
  portraitAlt: string | null;
}

async function replaceFiles(
  actor: Actor,
  creatorId: string,
  portrait: NewPortrait | null,
): Promise<string | null> {
  return db.transaction(async (tx) => {
    const creator = await lockCreator(tx, creatorId);
    if (creator === null) return NO_CREATOR;
    const hadOne = await removeFiles(tx, creatorId);
    if (portrait === null && !hadOne) return null;
    const before = { portraitAlt: creator.portrait_alt };
    const after = { portraitAlt: portrait?.portraitAlt ?? (creator.portrait_alt || creator.name) };
    if (portrait !== null) {
      await tx.insert(creatorFiles).values(portrait.files);
      await tx.execute(sql`UPDATE creators SET color = ${portrait.color}, portrait_alt = ${after.portraitAlt}
        WHERE id = ${creatorId}`);
    }
    await recordAudit(tx, {
      actor,
      action: portrait === null ? "creator.portraitRemoved" : "creator.portraitChanged",
      subjectKind: "creator",
      subjectId: creatorId,
      subjectName: creator.name,
      ...(portrait === null ? {} : { before, after }),
    });
    return null;
  });
}

/** The rows go now; a job deletes the files once that is committed. */
async function removeFiles(tx: Transaction, creatorId: string): Promise<boolean> {
  const gone = await tx
    .delete(creatorFiles)
    .where(eq(creatorFiles.creatorId, creatorId))
    .returning({ storageKey: creatorFiles.storageKey });
  const versions = new Set(gone.flatMap(({ storageKey }) => creatorFileVersion(storageKey) ?? []));
  for (const version of versions) {
    await enqueue("delete-creator-files", { creatorId, version }, tx, { afterSeconds: FILES_STAY_SECONDS });
  }
  return gone.length > 0;
}
