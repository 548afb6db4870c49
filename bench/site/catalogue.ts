import type { Sql } from "postgres";
import { paths } from "#app/paths.ts";

/** As many as one page of a list. */
const POSTERS = 24;

export interface MediaPaths {
  posters: string[];
  photos: string[];
  videos: string[];
}

/** The files of the demo that pages show to a subscriber. */
export async function listMediaPaths({ sql }: { sql: Sql }): Promise<MediaPaths> {
  const rows = await sql<{ id: string; name: string; kind: keyof MediaPaths }[]>`
    SELECT media.id, name, CASE WHEN name = 'cover-480.avif' AND type = 'video' THEN 'posters'
        WHEN content_type LIKE 'video/%' THEN 'videos'
        WHEN name ~ '^photo-[0-9]+-480[.]avif$' THEN 'photos' END AS kind
    FROM media JOIN media_files ON media_id = media.id
    WHERE status = 'published' AND publish_at <= now() AND (access = 'subscriber' OR name = 'cover-480.avif')
    ORDER BY publish_at DESC, name`;
  const of = (kind: keyof MediaPaths) =>
    rows.filter((row) => row.kind === kind).map(({ id, name }) => paths.mediaFile(id, name));
  return {
    posters: of("posters").slice(0, POSTERS),
    photos: of("photos").slice(0, POSTERS),
    videos: of("videos"),
  };
}

/** The posters that the first page of a list shows, in the size and format that most browsers choose. */
export function postersIn(html: string): string[] {
  const posters = [...new Set(html.match(/\/media\/[^\s",]+\/cover-480\.avif[^\s",]*/g))].slice(0, POSTERS);
  if (posters.length === 0) throw new Error("The page shows no posters");
  return posters;
}

/** Adds copies of each video that share its files, because the demo has too few to fill a page of a list. */
export async function copyVideos(sql: Sql): Promise<void> {
  await sql`CREATE TEMP TABLE copies AS SELECT id AS original, gen_random_uuid() AS id FROM media
    WHERE type = 'video' AND status = 'published' AND publish_at <= now()`;
  await sql`INSERT INTO media (id, short_id, slug, type, title, description, produced_on, publish_at, status, access,
      duration_seconds, width, height, color, play_count)
    SELECT copies.id, left(copies.id::text, 8), 'copy-' || left(copies.id::text, 8), type, title, description, produced_on,
      publish_at - interval '1 year', status, access, duration_seconds, width, height, color, play_count
    FROM copies JOIN media ON media.id = original`;
  await sql`INSERT INTO videos SELECT copies.id, markers, has_audio FROM copies JOIN videos ON media_id = original`;
  await sql`INSERT INTO media_creators SELECT copies.id, creator_id, position
    FROM copies JOIN media_creators ON media_id = original`;
  await sql`INSERT INTO media_tags SELECT copies.id, tag_id FROM copies JOIN media_tags ON media_id = original`;
  await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height,
      language, label)
    SELECT copies.id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height, language, label
    FROM copies JOIN media_files ON media_id = original`;
}
