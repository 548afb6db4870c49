import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { Refusal, readPicture, readSource } from "#app/domain/media/intake/refusal.ts";
import { checkPicture } from "#app/domain/media/picture.server.ts";
import { deleteOlderCreatorFiles } from "#app/domain/media/store-file.server.ts";
import { storePortrait } from "#app/domain/media/store-picture.server.ts";
import { db } from "#db/client.server.ts";
import { creatorFiles, creators } from "#db/schema/catalog.ts";
import { findCreatorByName } from "../media/names.server.ts";

interface PortraitOptions {
  isDryRun: boolean;
  isCredited: boolean;
}

/**
 * Replaces the portrait of the creator with this name or alias. Resolves with a reason to look at it, or null. Throws a
 * Refusal for a bad file or unknown name.
 */
export async function givePortrait(
  name: string,
  path: string,
  { isDryRun, isCredited }: PortraitOptions,
): Promise<string | null> {
  await readSource(path, () => stat(path));
  const warning = await readPicture(path, () => checkPicture(path));
  const creatorId = (await findCreatorByName(db, name))?.id ?? null;
  if (creatorId === null && !(isDryRun && isCredited)) {
    throw new Refusal(path, `nobody is called ${name}; import a video or set that credits them first`);
  }
  if (isDryRun || creatorId === null) return warning;
  const version = randomUUID();
  const { files, color } = await readPicture(path, () => storePortrait(path, { creatorId, version }));
  await db.transaction(async (tx) => {
    await tx.delete(creatorFiles).where(eq(creatorFiles.creatorId, creatorId));
    await tx.insert(creatorFiles).values(files);
    await tx
      .update(creators)
      .set({ color, portraitAlt: sql`${creators.name}` })
      .where(eq(creators.id, creatorId));
  });
  await deleteOlderCreatorFiles(creatorId, version);
  return warning;
}
