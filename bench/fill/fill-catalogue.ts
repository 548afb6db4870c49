import postgres, { type Sql } from "postgres";
import { migrateDatabase } from "#db/migrations/migrate.ts";

const WORDS = 2_000;
const TAGS = 80;
/** The approximate number of media one person has viewed; half of them are the newest. */
const VIEWED = 100;

/** The share of media that get the common first word, second word, creator or tag. Each is drawn independently. */
const EVERYWHERE = 0.32;
/** The number of media per rarity, spread evenly over the catalogue. A third are photo sets. */
const OF_EACH_RARITY = 80;
/** The values of each rare list, numbered as in `bench_media`; the other columns of such a row stay random. */
const RARITIES = [{ tag: 79 }, { creator: 15 }, { first: 1900 }, { first: 3, second: 4 }] as const;
/** Words that nearly every description has. */
const EVERYWHERE_TEXT =
  "The two of them met in the evening, and stayed with us until it was late for a walk by the water";
const OTHER_WORDS = 12;
/** All else is published. Their rows have none of the rarities. */
const RARE_STATES = ["draft", "hidden"] as const;
const OF_EACH_STATE = 60;

/**
 * Creates a catalogue of `size` media whose words, tags and creators are as unevenly distributed as in real life: a
 * few are very common.
 */
async function fillCatalogue(sql: Sql, size: number): Promise<void> {
  const creators = Math.round(size / 100);
  await sql`ALTER TABLE media DISABLE TRIGGER USER`;
  await sql`SELECT setseed(0.42)`;
  await sql`CREATE TABLE bench_words AS SELECT n, substr(translate(md5(n::text), '0123456789', 'ghijklmnop'), 1, 7) AS word
    FROM generate_series(0, ${WORDS - 1}) n`;
  await sql`INSERT INTO creators (slug, name, video_count, photo_set_count)
    SELECT 'creator-' || n, 'Creator ' || (SELECT word FROM bench_words WHERE bench_words.n = given.n % ${WORDS}), 1, 1
    FROM generate_series(0, ${creators - 1}) given(n)`;
  await sql`INSERT INTO tags (slug, name) SELECT 'tag-' || n, 'Mood ' || n FROM generate_series(0, ${TAGS - 1}) n`;
  await sql`CREATE TABLE bench_media AS SELECT number, gen_random_uuid() AS id,
    CASE WHEN random() < ${EVERYWHERE} THEN 1 ELSE floor(${WORDS} * random() ^ 2)::int END AS first,
    CASE WHEN random() < ${EVERYWHERE} THEN 2 ELSE floor(${WORDS} * random() ^ 2)::int END AS second,
    CASE WHEN random() < ${EVERYWHERE} THEN 1 ELSE floor(${creators} * random() ^ 2)::int END AS creator,
    CASE WHEN random() < ${EVERYWHERE} THEN 2 ELSE floor(${TAGS} * random() ^ 2)::int END AS tag,
    'published'::media_status AS state
    FROM generate_series(1, ${size}) number`;
  const spread = (index: number, count: number) => sql`SELECT 1 + ${index}::int
    + floor(g * ${(size - RARITIES.length) / OF_EACH_RARITY}::float8)::int FROM generate_series(0, ${count - 1}::int) g`;
  for (const [index, rarity] of RARITIES.entries()) {
    await sql`UPDATE bench_media SET ${sql(rarity)} WHERE number IN (${spread(index, OF_EACH_RARITY)})`;
  }
  for (const [index, state] of RARE_STATES.entries()) {
    await sql`UPDATE bench_media SET state = ${state}
      WHERE number IN (${spread(RARITIES.length + index, OF_EACH_STATE)})`;
  }
  await fillMedia(sql);
  await sql`INSERT INTO search_terms SELECT DISTINCT lexeme FROM media, unnest(search)
    WHERE length(lexeme) >= 3 AND status = 'published' ON CONFLICT DO NOTHING`;
  await sql`INSERT INTO users (email) VALUES ('viewer@example.com')`;
  await sql`INSERT INTO views (user_id, media_id, completed_at) SELECT users.id, b.id, now()
    FROM users, bench_media b WHERE b.number < ${VIEWED / 2} OR b.number IN (
      SELECT ${VIEWED / 2}::int + floor(g * ${(size - VIEWED / 2) / (VIEWED / 2)}::float8)::int
      FROM generate_series(0, ${VIEWED / 2 - 1}::int) g)`;
  await sql`INSERT INTO favorites (user_id, media_id, is_favorited, favorited_at)
    SELECT user_id, media_id, true, now() - row_number() OVER (ORDER BY media_id) * interval '1 hour' FROM views`;
  await sql`ALTER TABLE media ENABLE TRIGGER USER`;
  await sql`VACUUM (ANALYZE)`;
}

/** With their credits, tags and the files of their covers. */
async function fillMedia(sql: Sql): Promise<void> {
  const otherWords = sql.unsafe(
    Array.from({ length: OTHER_WORDS }, () => `' ' || w.words[1 + floor(${WORDS} * random() ^ 2)::int]`).join(
      " || ",
    ),
  );
  await sql`INSERT INTO media (id, type, short_id, slug, title, description, publish_at, status, access,
      duration_seconds, photo_count, play_count, ranked_plays, updated_at, publish_problem)
    SELECT b.id, CASE WHEN number % 3 = 0 THEN 'photoSet' ELSE 'video' END::media_type, 's' || lpad(number::text, 7, '0'),
      'silk-s' || lpad(number::text, 7, '0'), f.word || ' ' || s.word,
      'About ' || s.word || ' and light. ' || ${EVERYWHERE_TEXT}::text || ${otherWords},
      now() - number * interval '1 minute', b.state,
      (ARRAY['free', 'member', 'subscriber', 'subscriber'])[1 + number % 4]::media_access,
      CASE WHEN number % 3 = 0 THEN NULL ELSE 10 + random() * 3000 END,
      CASE WHEN number % 3 = 0 THEN 5 + (random() * 70)::int END, plays, plays,
      now() - random() * interval '300 days', CASE b.state WHEN 'draft' THEN 'No files.' END
    FROM (SELECT array_agg(word ORDER BY n) AS words FROM bench_words) w
    CROSS JOIN bench_media b JOIN bench_words f ON f.n = b.first JOIN bench_words s ON s.n = b.second
    CROSS JOIN LATERAL (SELECT (100000 * random() ^ 4 + 0 * b.number)::int AS plays) watched`;
  await sql`INSERT INTO media_creators (media_id, creator_id)
    SELECT b.id, c.id FROM bench_media b JOIN creators c ON c.slug = 'creator-' || b.creator`;
  await sql`INSERT INTO media_tags (media_id, tag_id)
    SELECT DISTINCT b.id, t.id FROM bench_media b JOIN tags t
      ON t.slug IN ('tag-' || b.tag, 'tag-' || (b.number % ${TAGS}), 'tag-' || (b.first % ${TAGS}))`;
  await sql`UPDATE tags SET video_uses = used, photo_set_uses = used / 2
    FROM (SELECT tag_id, count(*) * 2 / 3 AS used FROM media_tags GROUP BY tag_id) counted WHERE tag_id = id`;
  await sql`UPDATE creators SET video_count = used, photo_set_count = used / 2
    FROM (SELECT creator_id, count(*) * 2 / 3 AS used FROM media_creators GROUP BY creator_id) counted WHERE creator_id = id`;
  await sql`INSERT INTO videos (media_id) SELECT id FROM bench_media WHERE number % 3 <> 0`;
  await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs)
    SELECT id, name, id || name, 'image/avif', 1, '', 0, 'see'
    FROM bench_media, unnest(ARRAY['cover-480.avif', 'cover-480.webp', 'cover-960.avif', 'cover-960.webp', 'blur.webp']) name
    WHERE state <> 'hidden'`;
}

/** A migrated database with a catalogue of `size` media on this server. Returns its address. */
export async function createCatalogue(serverUrl: string, size: number): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/catalogue_${size}`;
  const admin = postgres(serverUrl, { max: 1, onnotice: () => {} });
  await admin.unsafe(`CREATE DATABASE catalogue_${size}`);
  await admin.end();
  await migrateDatabase(url.href);
  const sql = postgres(url.href, { max: 1, onnotice: () => {} });
  await fillCatalogue(sql, size);
  await sql.end();
  return url.href;
}
