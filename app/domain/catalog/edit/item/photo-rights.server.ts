import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";

/**
 * The right of a photo's files, which is what is read for each of their bytes, follows from its row. That of a file which
 * was replaced only narrows.
 */
export async function writePhotoRights(tx: Transaction, mediaId: string): Promise<void> {
  await tx.execute(sql`
    UPDATE media_files f SET needs = p.needs
    FROM (SELECT number, (CASE WHEN position IS NULL THEN 'edit' WHEN is_preview THEN 'preview' ELSE 'view' END)::media_right
        AS needs FROM photos WHERE media_id = ${mediaId}) p
    WHERE f.media_id = ${mediaId} AND substring(f.name FROM '^photo-([0-9]+)-')::int = p.number AND f.needs <> p.needs
      AND (f.retired_at IS NULL OR f.needs = 'preview' OR p.needs = 'edit')`);
}
