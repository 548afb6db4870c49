import { stat } from "node:fs/promises";
import { ImportRefusal, orRefuse, readSource } from "#app/domain/media/import/refusal.ts";
import { openPicture } from "#app/domain/media/picture.server.ts";
import { storePortrait } from "#app/domain/media/store-picture.server.ts";
import { db } from "#db/client.server.ts";
import { putPortrait } from "../edit/names/portraits.server.ts";
import { findCreatorByName } from "../media/names.server.ts";
import { IMPORT_ACTOR } from "./save-imported.server.ts";

interface PortraitOptions {
  isDryRun: boolean;
  isCredited: boolean;
}

/** `name` may be an alias. Resolves with a warning or null. Throws an ImportRefusal. */
export async function givePortrait(
  name: string,
  path: string,
  { isDryRun, isCredited }: PortraitOptions,
): Promise<string | null> {
  await readSource(path, () => stat(path));
  const { warning } = await orRefuse(path, () => openPicture(path));
  const creatorId = (await findCreatorByName(db, name))?.id ?? null;
  if (creatorId === null && !(isDryRun && isCredited)) {
    throw new ImportRefusal(
      path,
      `no creator is called ${name}; first import a video or set that credits them`,
    );
  }
  if (isDryRun || creatorId === null) return warning;
  const store = (owner: { creatorId: string; version: string }) =>
    orRefuse(path, () => storePortrait(path, owner));
  const problem = await putPortrait(IMPORT_ACTOR, creatorId, store, null);
  if (problem !== null) throw new ImportRefusal(path, problem);
  return warning;
}
