import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { isLatest } from "../../media/visibility.server.ts";

/** Copies a photo's right to its files, where requests read it. A replaced file can lose rights, but gains none. */
export async function writePhotoRights(tx: Transaction, mediaId: string): Promise<void> {
  await tx.execute(sql`
    UPDATE media_files f SET needs = due.needs
    FROM (SELECT file.version, file.name, (CASE WHEN position IS NULL THEN 'edit' WHEN file.name LIKE '%.jpg' THEN 'download'
        WHEN is_preview THEN 'preview' ELSE 'view' END)::media_right AS needs
      FROM media_files file JOIN photos USING (media_id)
      WHERE media_id = ${mediaId} AND substring(file.name FROM '^photo-([0-9]+)-')::int = number) due
    WHERE f.media_id = ${mediaId} AND (f.version, f.name) = (due.version, due.name) AND f.needs <> due.needs
      AND (${isLatest} OR f.needs = 'preview' OR due.needs = 'edit')`);
}
