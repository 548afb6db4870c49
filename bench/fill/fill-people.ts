import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { fillFast } from "./fill-fast.ts";

/** Views of each user, and as many favorites. */
export const PER_USER = 10;
/** Two primes, so that a user's media are spread over the catalogue and differ. */
const USER_STEP = 7_919;
const MEDIA_STEP = 104_729;
/** Sets that are opened have photos; the others are only in lists. */
const SETS_WITH_PHOTOS = 1_000;
const PHOTOS = 12;
const COVER_KEY = "bench/cover.avif";
const COVER_BYTES = 2_000;

/** Adds as many users as a catalogue of fillCatalogue() has media, ten views and ten favorites of each, and files. */
export async function fillPeople(sql: Sql, size: number, dataDir: string): Promise<void> {
  await sql`INSERT INTO products (id, name) VALUES ('prod_bench', 'Membership')`;
  await sql`INSERT INTO prices (id, product_id, currency, unit_amount, interval)
    VALUES ('price_bench', 'prod_bench', 'eur', 1200, 'month')`;
  await sql`CREATE TABLE bench_users AS SELECT number, gen_random_uuid() AS id FROM generate_series(1, ${size}) number`;
  await sql`INSERT INTO users (id, email) SELECT id, 'member-' || number || '@example.com' FROM bench_users`;
  const chosen = sql`FROM bench_users u CROSS JOIN generate_series(0, ${PER_USER - 1}::int) k
    JOIN bench_media m ON m.number = 1 + (u.number::bigint * ${USER_STEP}::bigint + k * ${MEDIA_STEP}::bigint) % ${size}::bigint`;
  const at = sql`now() - (u.number % 1000 + k) * interval '1 hour'`;
  await fillFast(sql, { table: "views" }, async () => {
    await sql`INSERT INTO views (user_id, media_id, progress, last_viewed_at) SELECT u.id, m.id, 5, ${at} ${chosen}`;
  });
  await fillFast(sql, { table: "favorites" }, async () => {
    await sql`INSERT INTO favorites (user_id, media_id, favorited_at) SELECT u.id, m.id, ${at} ${chosen}`;
  });
  await fillFiles(sql, dataDir);
  await sql`VACUUM (ANALYZE)`;
}

/** All covers share one file; sending it costs the same. */
async function fillFiles(sql: Sql, dataDir: string): Promise<void> {
  await mkdir(join(dataDir, "media", "bench"), { recursive: true });
  await writeFile(join(dataDir, "media", COVER_KEY), Buffer.alloc(COVER_BYTES, 7));
  await sql`INSERT INTO videos (media_id) SELECT id FROM media WHERE type = 'video'`;
  await fillFast(sql, { table: "media_files" }, async () => {
    await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height)
      SELECT id, 'cover-480.avif', ${COVER_KEY}, 'image/avif', ${COVER_BYTES}, repeat('0', 64), 0, 'see', 480, 270 FROM media`;
  });
  await sql`INSERT INTO photos (media_id, number, position, width, height, widest, source_hash)
    SELECT id, position, position, 960, 1200, 960, repeat('0', 64) FROM (SELECT id FROM media WHERE type = 'photoSet' ORDER BY short_id
      LIMIT ${SETS_WITH_PHOTOS}) sets CROSS JOIN generate_series(1, ${PHOTOS}::int) position`;
}
