import { sql } from "drizzle-orm";
import { deleteMediaFiles } from "#app/domain/media/store-file.server.ts";
import { db } from "#db/client.server.ts";

/** For a job, which is retried. The row of a draft that was never public goes last: without it, an import may write the files anew. */
export async function deleteFilesOf(mediaId: string): Promise<void> {
  const [deleted] = await db.execute(sql`SELECT FROM media WHERE id = ${mediaId} AND status = 'deleted'`);
  if (!deleted) return;
  await deleteMediaFiles(mediaId);
  await db.execute(sql`
    DELETE FROM media WHERE id = ${mediaId} AND status = 'deleted' AND first_published_at IS NULL`);
}
