import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { creatorFileVersion } from "#app/domain/media/renditions.ts";
import { deleteCreatorFiles, FILES_STAY_SECONDS } from "#app/domain/media/store-file.server.ts";
import { type StoredPortrait, storeUploadedPortrait } from "#app/domain/media/store-portrait.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import { type Actor, mayDo } from "#app/domain/staff/rights.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { creatorFiles } from "#db/schema/catalog-files.ts";
import { errorsIn, type FieldErrors } from "../item/text-fields.ts";
import { NOT_ALLOWED } from "../states/media-states.ts";
import { NO_NAME } from "./edit-names.server.ts";
import { findName, lockNameRows } from "./name-rows.server.ts";
import { NAME_VALUES } from "./name-values.ts";

/** Null when done, otherwise the field that is wrong and a sentence. Throws as runPictureProgram() does. */
export async function savePortrait(
  actor: Actor,
  creatorId: string,
  bytes: Uint8Array,
  alt: string,
): Promise<FieldErrors | null> {
  const checked = NAME_VALUES.creator.pick({ portraitAlt: true }).safeParse({ portraitAlt: alt });
  if (!checked.success) return errorsIn(checked);
  const store = (owner: { creatorId: string; version: string }) => storeUploadedPortrait(bytes, owner);
  const problem =
    (await refusalOf(actor, creatorId)) ??
    (await putPortrait(actor, creatorId, store, checked.data.portraitAlt));
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
  return (await refusalOf(actor, creatorId)) ?? replaceFiles(actor, creatorId, null);
}

async function refusalOf(actor: Actor, creatorId: string): Promise<string | null> {
  if (!mayDo(actor, "media.edit")) return NOT_ALLOWED;
  return (await findName("creator", creatorId)) === null ? NO_NAME.creator : null;
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
    const [creator] = await lockNameRows(tx, "creator", [creatorId]);
    if (creator === undefined) return NO_NAME.creator;
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
