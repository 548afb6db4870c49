import { sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { mediaFiles } from "#db/schema/catalog.ts";

interface Renditions {
  mediaId: string;
  /** How the names of the replaced rows begin, as "photo-3-". */
  stems: readonly string[];
  files: readonly MediaFileRow[];
  /** The names of rows that stay as they are. */
  kept?: readonly string[];
}

type Present = Record<"name" | "storageKey" | "sha256", string>;

/** A page, a decision or nginx may still lead to the file that was there. */
const READERS_SECONDS = 60;

/**
 * Puts remade files in the place of the present ones, in one transaction with the facts that follow from them; a file with
 * the same bytes stays. Returns how many rows changed; null when the item was deleted meanwhile.
 */
export async function replaceRenditions(
  { mediaId, stems, files, kept = [] }: Renditions,
  writeFacts: (tx: Transaction) => Promise<unknown>,
): Promise<number | null> {
  const unused = new Set(files.map(({ storageKey }) => storageKey));
  const changed = await db.transaction(async (tx) => {
    const [item] = await tx.execute(
      sql`SELECT FROM media WHERE id = ${mediaId} AND status <> 'deleted' FOR NO KEY UPDATE`,
    );
    if (item === undefined) return null;
    const present = (
      await tx.execute<Present>(
        sql`SELECT name, storage_key AS "storageKey", sha256 FROM media_files WHERE media_id = ${mediaId}`,
      )
    ).filter(({ name }) => stems.some((stem) => name.startsWith(stem)));
    const made = files.filter(
      (file) => !present.some(({ name, sha256 }) => name === file.name && sha256 === file.sha256),
    );
    const stays = new Set([...kept, ...files.map(({ name }) => name)]);
    const gone = present.filter(({ name }) => !stays.has(name));
    for (const { name } of gone) {
      await tx.execute(sql`DELETE FROM media_files WHERE media_id = ${mediaId} AND name = ${name}`);
    }
    for (const { mediaId: _, name, needs, ...facts } of made) {
      await tx
        .insert(mediaFiles)
        .values({ mediaId, name, needs, ...facts })
        // The right stays, which the studio may have changed.
        .onConflictDoUpdate({ target: [mediaFiles.mediaId, mediaFiles.name], set: facts });
      unused.delete(facts.storageKey);
    }
    await writeFacts(tx);
    const replaced = present.filter(({ name }) => gone.some((row) => row.name === name) || isIn(made, name));
    const storageKeys = replaced.map(({ storageKey }) => storageKey);
    if (storageKeys.length > 0) {
      const after = { afterSeconds: READERS_SECONDS };
      await enqueue("delete-replaced-files", { mediaId, storageKeys }, tx, after);
    }
    for (const { storageKey } of present) unused.delete(storageKey);
    return gone.length + made.length;
  });
  for (const storageKey of unused) await mediaStorage.deleteFolder(storageKey);
  return changed;
}

/** For a job. Without the item its files have gone, and a new import may be writing others. */
export async function deleteReplacedFiles(mediaId: string, storageKeys: string[]): Promise<void> {
  const rows = await db.execute<{ storageKey: string | null }>(sql`
    SELECT f.storage_key AS "storageKey" FROM media m LEFT JOIN media_files f ON f.media_id = m.id
    WHERE m.id = ${mediaId}`);
  if (rows.length === 0) return;
  const used = new Set(rows.map(({ storageKey }) => storageKey));
  for (const storageKey of storageKeys.filter((key) => !used.has(key))) {
    await mediaStorage.deleteFolder(storageKey);
  }
}

function isIn(files: readonly { name: string }[], name: string): boolean {
  return files.some((file) => file.name === name);
}
