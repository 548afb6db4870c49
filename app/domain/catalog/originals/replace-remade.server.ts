import { sql } from "drizzle-orm";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import { fileGroup } from "#app/domain/media/renditions.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { hasRecentEntry, recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { claimFileVersion, dropUnusedVersion, replaceFiles } from "../edit/files/replace-files.server.ts";
import { lockItems, readItem } from "../edit/item/items.server.ts";
import { isLatest } from "../media/visibility.server.ts";

type Present = Record<"name" | "sha256", string>;

export const REMAKE_ACTOR: Actor = { id: null, name: "media:remake", role: "owner" };
const SAME_RUN_SECONDS = 3_600;
const CHANGED = "its files were replaced meanwhile; try again";

interface Made {
  files: MediaFileRow[];
  writeFacts: (tx: Transaction) => Promise<unknown>;
}

/**
 * Replaces the files of groups by those that `make` stores with a version of their own, in one transaction with the facts
 * that follow from them. When all of them have the bytes of the present ones, those stay. Returns how many files are others
 * now. Throws a Refusal when the item was deleted, or its files were replaced, meanwhile.
 */
export async function replaceRemade(
  mediaId: string,
  groups: readonly string[],
  make: (version: number) => Promise<Made>,
): Promise<number> {
  const inGroups = async (executor: Executor) =>
    (await currentFiles(executor, mediaId)).filter(({ name }) => groups.includes(fileGroup(name)));
  // Before the sources are read: what an editor replaces from now on must not be replaced by what was made before.
  const before = await inGroups(db);
  const version = await claimFileVersion(mediaId);
  if (version === null) throw wasDeleted(mediaId);
  try {
    const { files, writeFacts } = await make(version);
    return await db.transaction(async (tx) => {
      await lockItems(tx, [mediaId]);
      const present = await inGroups(tx);
      const isSame = present.length === before.length && before.every((file) => isAmong(present, file));
      if (!isSame) throw new ImportRefusal(mediaId, CHANGED);
      const changed = countChanges(present, files);
      if (changed > 0 && !(await replaceFiles(tx, mediaId, files, { groups }))) throw wasDeleted(mediaId);
      await writeFacts(tx);
      if (changed > 0) await recordRemade(tx, mediaId);
      return changed;
    });
  } finally {
    await dropUnusedVersion(mediaId, version);
  }
}

/** One entry an hour for an item: each of its parts has a transaction of its own, and a set may have a thousand photos. */
async function recordRemade(tx: Transaction, mediaId: string): Promise<void> {
  const entry = {
    actor: REMAKE_ACTOR,
    action: "media.remade",
    subjectKind: "media",
    subjectId: mediaId,
  } as const;
  if (await hasRecentEntry(tx, entry, SAME_RUN_SECONDS)) return;
  const item = await readItem(tx, mediaId);
  await recordAudit(tx, { ...entry, ...(item && { subjectName: item.title }) });
}

async function currentFiles(executor: Executor, mediaId: string): Promise<Present[]> {
  return executor.execute<Present>(
    sql`SELECT f.name, f.sha256 FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest}`,
  );
}

function countChanges(present: Present[], files: MediaFileRow[]): number {
  const gone = present.filter(({ name }) => !files.some((file) => file.name === name));
  return gone.length + files.filter((file) => !isAmong(present, file)).length;
}

function isAmong(files: readonly Present[], { name, sha256 }: Present): boolean {
  return files.some((file) => file.name === name && file.sha256 === sha256);
}

function wasDeleted(mediaId: string): ImportRefusal {
  return new ImportRefusal(mediaId, "it was deleted meanwhile");
}
