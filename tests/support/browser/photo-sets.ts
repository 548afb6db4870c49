import { randomUUID } from "node:crypto";
import { withDatabase } from "./database.ts";

interface AddedSet {
  id: string;
  path: string;
}

/** Runs with a set for subscribers that shares the files of a demo set and may be downloaded. Photos with the numbers `free` are open to all. */
export async function withPhotoSet(
  { count, free = [] }: { count: number; free?: number[] },
  run: (set: AddedSet) => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  const slug = `many-${id.slice(0, 8)}`;
  await withDatabase(async (sql) => {
    const [source] = await sql<{ id: string; photos: number }[]>`SELECT id, photo_count AS photos FROM media
      WHERE type = 'photoSet' AND status = 'published' ORDER BY photo_count DESC LIMIT 1`;
    if (!source) throw new Error("The demo has no set");
    await sql`INSERT INTO media (id, short_id, slug, type, title, publish_at, status, access, allow_download, photo_count, color)
      SELECT ${id}, ${id.slice(0, 8)}, ${slug}, type, 'Zinnias, many', now() - interval '1 year', status, 'subscriber', true,
        ${count}, color
      FROM media WHERE id = ${source.id}`;
    await sql`INSERT INTO photos (media_id, number, position, alt, width, height, widest, color, is_preview, source_hash)
      SELECT ${id}, n, n, alt, width, height, widest, color, n = ANY(${free}::int[]), source_hash FROM generate_series(1, ${count}::int) n
      JOIN photos ON media_id = ${source.id} AND number = (n - 1) % ${source.photos}::int + 1`;
    await sql`INSERT INTO media_files
        (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height)
      SELECT ${id}, regexp_replace(name, '^photo-[0-9]+-', 'photo-' || n || '-'), storage_key, content_type, bytes, sha256,
        crc32, (CASE WHEN name LIKE '%.jpg' THEN 'download' WHEN n = ANY(${free}::int[]) THEN 'preview' ELSE 'view' END)::media_right,
        width, height
      FROM generate_series(1, ${count}::int) n JOIN media_files ON media_id = ${source.id}
        AND name LIKE concat('photo-', (n - 1) % ${source.photos}::int + 1, '-%') AND retired_at IS NULL`;
  });
  try {
    await run({ id, path: `/content/photoSet/${slug}` });
  } finally {
    await withDatabase((sql) => sql`DELETE FROM media WHERE id = ${id}`);
  }
}

/** Marks each photo of the set, whatever this person may see. */
export async function markPhotos(email: string, mediaId: string): Promise<void> {
  await withDatabase(
    (sql) => sql`INSERT INTO photo_favorites (user_id, photo_id)
      SELECT u.id, p.id FROM users u, photos p WHERE u.email = ${email} AND p.media_id = ${mediaId}`,
  );
}
