import { randomUUID } from "node:crypto";
import { stat } from "node:fs/promises";
import { eq, sql } from "drizzle-orm";
import { readPicture } from "#app/domain/media/intake/read-picture.ts";
import { readSource } from "#app/domain/media/intake/read-source.ts";
import { Refusal } from "#app/domain/media/intake/refusal.ts";
import { openPicture } from "#app/domain/media/picture.server.ts";
import { deleteOlderCreatorFiles } from "#app/domain/media/store-file.server.ts";
import { storePortrait } from "#app/domain/media/store-picture.server.ts";
import { db } from "#db/client.server.ts";
import { creatorFiles, creators } from "#db/schema/catalog.ts";
import { findCreatorByName } from "./import.server.ts";

interface PortraitOptions {
  isDryRun: boolean;
  /** Whether what is imported before would make the creator, who need not be there yet in a run that writes nothing. */
  isCredited: boolean;
}

/**
 * Makes a picture file the portrait of the creator with this name or alias, in the place of an earlier one. Throws a
 * Refusal when the file is no picture or nobody has the name.
 */
export async function givePortrait(
  name: string,
  path: string,
  { isDryRun, isCredited }: PortraitOptions,
): Promise<void> {
  await readSource(path, () => stat(path));
  await readPicture(path, () => openPicture(path));
  const creatorId = await findCreatorByName(db, name);
  if (creatorId === null && !(isDryRun && isCredited)) {
    throw new Refusal(path, `nobody is called ${name}; a work that credits them comes first`);
  }
  if (isDryRun || creatorId === null) return;
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
}
