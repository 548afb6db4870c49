import postgres from "postgres";
import { expect, inject, test } from "vitest";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { migrateDatabase } from "./migrate.ts";

test("files from before versions keep their addresses, and photos have their position as number", async () => {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  await migrateDatabase(url, "0005_owners_site");
  const sql = postgres(url, { max: 1 });
  try {
    const [set] = await sql`INSERT INTO media (type, short_id, slug, title, photo_count)
      VALUES ('photoSet', 'abcdefgh', 'a-set-abcdefgh', 'A set', 2) RETURNING id`;
    await sql`INSERT INTO photos (media_id, position, width, height) SELECT ${set?.id}, n, 1, 1 FROM generate_series(1, 2) n`;
    await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, needs)
      VALUES (${set?.id}, 'photo-1-480.webp', 'media/x/photo-1-480.webp', 'image/webp', 1, '', 'view')`;

    await migrateDatabase(url);
    expect([...(await sql`SELECT version, retired_at, crc32, storage_key FROM media_files`)]).toEqual([
      { version: 0, retired_at: null, crc32: null, storage_key: "media/x/photo-1-480.webp" },
    ]);
    expect([...(await sql`SELECT number, position, left_out_at FROM photos ORDER BY number`)]).toEqual([
      { number: 1, position: 1, left_out_at: null },
      { number: 2, position: 2, left_out_at: null },
    ]);
    await sql`UPDATE photos SET position = 3 - position`;
    await expect(sql`UPDATE photos SET position = 1`).rejects.toThrow("photos_media_position");
    await expect(sql`UPDATE photos SET position = NULL`).rejects.toThrow("photos_left_out");
  } finally {
    await sql.end();
  }
}, 60_000);
