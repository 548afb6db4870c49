import { z } from "zod";
import { ImportRefusal } from "#app/domain/media/import/refusal.ts";
import { fileGroup } from "#app/domain/media/renditions.ts";
import type { MediaFileRow } from "#app/domain/media/store-file.server.ts";
import { hasRecentEntry, recordAudit } from "#app/domain/staff/audit.server.ts";
import type { Actor } from "#app/domain/staff/rights.ts";
import { db, type Executor, type Transaction } from "#db/client.server.ts";
import { readRows, text } from "#db/rows.ts";
import { claimFileVersion, dropUnusedVersion, replaceFiles } from "../edit/files/replace-files.server.ts";
import { lockItems, readItem } from "../edit/item/items.server.ts";
import { isLatest } from "../media/visibility.server.ts";

const Present = z.object({ name: text, sha256: text });
type Present = z.infer<typeof Present>;

export const REMAKE_ACTOR: Actor = { id: null, name: "media:remake", role: "owner" };
const SAME_RUN_SECONDS = 3_600;
const CHANGED = "its files have been replaced; try again";

interface Made {
  files: MediaFileRow[];
  writeFacts: (tx: Transaction) => Promise<unknown>;
}

/** Files with unchanged bytes stay. Returns the number of changed files. Throws an ImportRefusal. */
export async function replaceRemade(
  mediaId: string,
  groups: readonly string[],
  make: (version: number) => Promise<Made>,
): Promise<number> {
  const inGroups = async (executor: Executor) =>
    (await currentFiles(executor, mediaId)).filter(({ name }) => groups.includes(fileGroup(name)));
  // Read before the sources, so that an editor's later replacement wins.
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

/** One entry an hour for an item: a set may have a thousand photos, each with a transaction of its own. */
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
  return readRows(executor, Present)`
    SELECT f.name, f.sha256 FROM media_files f WHERE f.media_id = ${mediaId} AND ${isLatest}`;
}

function countChanges(present: Present[], files: MediaFileRow[]): number {
  const gone = present.filter(({ name }) => !files.some((file) => file.name === name));
  return gone.length + files.filter((file) => !isAmong(present, file)).length;
}

function isAmong(files: readonly Present[], { name, sha256 }: Present): boolean {
  return files.some((file) => file.name === name && file.sha256 === sha256);
}

export function wasDeleted(mediaId: string): ImportRefusal {
  return new ImportRefusal(mediaId, "it has been deleted");
}
