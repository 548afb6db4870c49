import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import type { Role } from "#app/domain/staff/rights.ts";
import { withDatabase } from "./database.ts";
import { signIn } from "./people.ts";

/** Signs in a new person of the staff. */
export async function signInAsNewStaff(page: Page, role: Role, next = "/studio"): Promise<string> {
  const email = `${role}-${randomBytes(5).toString("hex")}@example.com`;
  await withDatabase(async (sql) => {
    await sql`DELETE FROM rate_limits`;
    await sql`INSERT INTO users (email, role) VALUES (${email}, ${role})`;
  });
  await signIn(page, email, next);
  return email;
}

/** Drafts with the pictures of one of the demo's sets, so that no test changes what others count. */
export async function addDrafts(count: number): Promise<{ word: string; ids: string[] }> {
  const word = `Copy${randomBytes(4).toString("hex")}`;
  const ids = await withDatabase(async (sql) => {
    const made: string[] = [];
    for (let number = 1; number <= count; number += 1) {
      const shortId = randomBytes(5).toString("hex").slice(0, 8);
      const [row] = await sql<{ id: string; source: string }[]>`
        INSERT INTO media (type, short_id, slug, title, access, photo_count, width, height, color, status)
        SELECT type, ${shortId}, ${`${word.toLowerCase()}-${number}-${shortId}`}, ${`${word} ${number}`}, 'subscriber',
          photo_count, width, height, color, 'draft'
        FROM media WHERE type = 'photoSet' AND status = 'published' ORDER BY title LIMIT 1
        RETURNING id, (SELECT id FROM media WHERE type = 'photoSet' AND status = 'published' ORDER BY title LIMIT 1) AS source`;
      if (!row) throw new Error("The demo has no photo set");
      await sql`INSERT INTO photos (media_id, number, position, alt, width, height, widest, color, source_hash)
        SELECT ${row.id}, number, position, '', width, height, widest, color, source_hash FROM photos WHERE media_id = ${row.source}`;
      await sql`INSERT INTO media_files (media_id, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height)
        SELECT ${row.id}, name, storage_key, content_type, bytes, sha256, crc32, needs, width, height
        FROM media_files WHERE media_id = ${row.source}`;
      made.push(row.id);
    }
    return made;
  });
  return { word, ids };
}

export async function removeItems(ids: string[]): Promise<void> {
  await withDatabase((sql) => sql`DELETE FROM media WHERE id = ANY(${ids})`);
}

/** The next Friday in UTC, the demo's time zone, as "2026-11-27". */
export function nextFriday(): string {
  const day = new Date();
  do day.setUTCDate(day.getUTCDate() + 1);
  while (day.getUTCDay() !== 5);
  return day.toISOString().slice(0, 10);
}
