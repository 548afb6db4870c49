import { sql } from "drizzle-orm";
import { fileGroup } from "#app/domain/media/renditions.ts";
import { deleteFileVersion, type MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { number, readRow, readRows, text } from "#db/rows.ts";
import { mediaFiles } from "#db/schema/catalog-files.ts";
import { isLatest } from "../../media/visibility.server.ts";
import { lockItems } from "../item/items.server.ts";
import { writePhotoRights } from "../item/photo-rights.server.ts";

/** For files that are stored before replaceFiles(). No version is given twice, so no address ever has two contents. */
export async function claimFileVersion(mediaId: string, executor: Executor = db): Promise<number | null> {
  return readRow(executor, number)`
    UPDATE media SET file_version = file_version + 1 WHERE id = ${mediaId} AND status <> 'deleted'
    RETURNING file_version`;
}

interface ReplacedGroups {
  /** By default those of the new files. A group without a new file loses its files. */
  groups?: readonly string[];
}

/** Makes stored files current and retires the others of their groups: decision 157. False for a deleted item. */
export async function replaceFiles(
  tx: Transaction,
  mediaId: string,
  files: MediaFileRow[],
  { groups = files.map(({ name }) => fileGroup(name)) }: ReplacedGroups = {},
): Promise<boolean> {
  await lockItems(tx, [mediaId]);
  const [item] = await tx.execute(sql`SELECT FROM media WHERE id = ${mediaId} AND status <> 'deleted'`);
  if (item === undefined) return false;
  await retireGroups(tx, mediaId, groups);
  for (const file of files) await tx.insert(mediaFiles).values(file);
  // The photo may have been left out, or become a preview, since its files were made.
  await writePhotoRights(tx, mediaId);
  await tx.execute(sql`UPDATE media SET updated_at = clock_timestamp() WHERE id = ${mediaId}`);
  return true;
}

/** The item's row must be locked. */
export async function retireGroups(
  tx: Transaction,
  mediaId: string,
  groups: readonly string[],
): Promise<void> {
  const current = await readRows(tx, text)`
    SELECT f.name FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest}`;
  const replaced = current.filter((name) => groups.includes(fileGroup(name)));
  await tx.execute(sql`
    UPDATE media_files f SET retired_at = clock_timestamp() WHERE f.media_id = ${mediaId} AND ${isLatest}
      AND f.name IN (SELECT jsonb_array_elements_text(${JSON.stringify(replaced)}::jsonb))`);
}

/** Deletes a claimed version only if no row names it: a commit without an answer may have happened. */
export async function dropUnusedVersion(mediaId: string, version: number): Promise<void> {
  try {
    const [used] = await db.execute(
      sql`SELECT FROM media_files WHERE media_id = ${mediaId} AND version = ${version} LIMIT 1`,
    );
    if (used === undefined) await deleteFileVersion(mediaId, version);
  } catch {
    // The check of files finds leftovers.
  }
}
