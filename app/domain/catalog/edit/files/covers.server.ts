import { sql } from "drizzle-orm";
import { z } from "zod";
import { config } from "#app/config.server.ts";
import { makeItemCover } from "#app/domain/media/item-pictures.server.ts";
import { fileGroup, fileNames, fileStems } from "#app/domain/media/renditions.ts";
import { inTemporaryFolder } from "#app/domain/media/storage/temporary.server.ts";
import { storeImages } from "#app/domain/media/store-images.server.ts";
import { recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import type { Transaction } from "#db/client.server.ts";
import { number, readRow, readRows, text } from "#db/rows.ts";
import type { CoverSource } from "#db/schema/catalog.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { photoVersion } from "../../media/photos.server.ts";
import { coverVersion, isServed, RETIRED_HOURS } from "../../media/served-file.server.ts";
import { changeItem, openItem } from "../item/change-item.server.ts";
import { DELETED } from "../states/media-states.ts";
import { type CoverChoice, pictureOf } from "./cover-choice.server.ts";
import { claimFileVersion, dropUnusedVersion, retireGroups } from "./replace-files.server.ts";

// Pages have no access to the schema.
export type { CoverSource };

/** The version tells its files from those of the current cover. */
export interface MadeCover {
  version: number;
  color: string;
  source: CoverSource;
  /** Of the photo that it was made from. */
  photoVersion?: number | undefined;
}

/** `present`: the version of the cover that somebody else has chosen in the meantime. */
export type UsedCover =
  | { used: true }
  | { used: false; problem: string }
  | { used: false; present: number | null };

const REPLACED = "This photo was replaced after you previewed the cover. Please preview it again.";
const GROUPS: string[] = [fileStems.cover, fileStems.poster];

/**
 * Makes a cover for preview. Editors can see its files for RETIRED_HOURS. A string says why it cannot be made. Throws as
 * runPictureProgram() and cutFrame() do.
 */
export async function makeCover(
  actor: Actor,
  mediaId: string,
  choice: CoverChoice,
): Promise<MadeCover | string> {
  const item = await openItem(actor, mediaId);
  if (typeof item === "string") return item;
  const made = await inTemporaryFolder(config.media.workDir, async (folder) => {
    const picture = await pictureOf(item, choice, folder);
    return typeof picture === "string"
      ? picture
      : { picture, ...(await makeItemCover(picture.input, item.type)) };
  });
  if (typeof made === "string") return made;
  const { picture, color, images } = made;
  const version = await claimFileVersion(mediaId);
  if (version === null) return DELETED;
  try {
    const files = await storeImages(images, { mediaId, version }, "edit");
    const { source, photoVersion: ofPhoto } = picture;
    return await changeItem(actor, mediaId, async (tx) => {
      const rows = files.map((file) => ({ ...file, retiredAt: sql`clock_timestamp()` }));
      await tx.insert(mediaFiles).values(rows);
      return { version, color, source, photoVersion: ofPhoto };
    });
  } finally {
    await dropUnusedVersion(mediaId, version);
  }
}

/** `opened`: the version of the cover in the form. A trigger announces the change. */
export async function takeCover(
  actor: Actor,
  mediaId: string,
  { version, color, source, photoVersion: ofPhoto }: MadeCover,
  opened: number | null,
): Promise<UsedCover> {
  const result = await changeItem(actor, mediaId, async (tx, item): Promise<UsedCover | string> => {
    const present = await presentCover(tx, mediaId);
    // The form was sent twice.
    if (present === version) return { used: true };
    if (present !== opened) return { used: false, present };
    const photo = source.kind === "photo" ? await findPhoto(tx, mediaId, source.number) : null;
    if (photo !== null && photo.version !== ofPhoto) return REPLACED;
    if (!(await makeCurrent(tx, mediaId, version))) {
      return `This preview is more than ${RETIRED_HOURS} hours old. Please preview the cover again.`;
    }
    await tx.execute(sql`
      UPDATE media SET color = ${color}, cover_source = ${JSON.stringify(source)}::jsonb, updated_at = clock_timestamp()
      WHERE id = ${mediaId}`);
    await recordAudit(tx, {
      ...{ actor, action: "media.coverChanged", subjectKind: "media", subjectId: mediaId },
      ...{ subjectName: item.title, after: { cover: source, ...(photo && { photo: photo.position }) } },
    });
    return { used: true };
  });
  return typeof result === "string" ? { used: false, problem: result } : result;
}

const SetPhoto = z.object({ position: number.nullable(), version: number });

async function findPhoto(tx: Transaction, mediaId: string, number: number) {
  return readRow(tx, SetPhoto)`
    SELECT p.position, ${photoVersion} AS version FROM photos p WHERE p.media_id = ${mediaId} AND p.number = ${number}`;
}

async function presentCover(tx: Transaction, mediaId: string): Promise<number | null> {
  return readRow(tx, number.nullable())`SELECT ${coverVersion} FROM media m WHERE m.id = ${mediaId}`;
}

async function makeCurrent(tx: Transaction, mediaId: string, version: number): Promise<boolean> {
  const names = await readRows(tx, text)`
    SELECT f.name FROM media_files f WHERE f.media_id = ${mediaId} AND f.version = ${version} AND f.needs = 'edit' AND ${isServed}`;
  const isWhole = names.includes(fileNames.blur());
  if (!isWhole || names.some((name) => !GROUPS.includes(fileGroup(name)))) return false;
  await retireGroups(tx, mediaId, GROUPS);
  await tx.execute(sql`
    UPDATE media_files SET retired_at = NULL,
      needs = (CASE WHEN name = ${fileNames.poster()} THEN 'view' ELSE 'see' END)::media_right
    WHERE media_id = ${mediaId} AND version = ${version}`);
  return true;
}
