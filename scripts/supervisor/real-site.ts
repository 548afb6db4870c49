import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";

const MARK = "real-site";
const DEMO_MARK = "demo";
const REAL_DATABASE =
  "This database belongs to a real site: set APP_URL, or another DATABASE_URL for a demo. The row real-site in site_settings marks it.";
const UNKNOWN_DATABASE =
  "This database has members but no mark of a demo: set APP_URL, or another DATABASE_URL. If it belongs to a demo, run: INSERT INTO site_settings (name, value) VALUES ('demo', 'true')";

/** A demo would show the sign-in emails of the real site's members, the owner's included. */
export function requireNoRealSite(dataDir: string): void {
  const mark = join(dataDir, MARK);
  if (existsSync(mark)) {
    throw new Error(
      `The data in ${dataDir} belongs to a real site: set APP_URL, or another DATA_DIR for a demo. If it does not, delete ${mark}.`,
    );
  }
}

/** Where APP_URL is missing, DATA_DIR may be missing too, so the database is asked as well, migrated or not. */
export async function requireNoRealDatabase(sql: Sql): Promise<void> {
  if (await isMarked(sql, MARK)) throw new Error(REAL_DATABASE);
}

/** A real site's database may have lost its mark, but every demo has a mark or the demo's offer. */
export async function requireNoUnknownMembers(sql: Sql, { hasDemo }: { hasDemo: boolean }): Promise<void> {
  if (hasDemo || (await isMarked(sql, DEMO_MARK))) return;
  if (await hasMembers(sql)) throw new Error(UNKNOWN_DATABASE);
}

export async function hasMembers(sql: Sql): Promise<boolean> {
  return (await sql`SELECT 1 FROM users LIMIT 1`).length > 0;
}

export async function markRealFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  await writeFile(join(dataDir, MARK), "While this file is here, the site starts only with an APP_URL.\n");
}

export async function markDatabase(sql: Sql, { isDemo }: { isDemo: boolean }): Promise<void> {
  const name = isDemo ? DEMO_MARK : MARK;
  await sql`INSERT INTO site_settings (name, value) VALUES (${name}, 'true') ON CONFLICT (name) DO NOTHING`;
}

async function isMarked(sql: Sql, name: string): Promise<boolean> {
  const [table] = await sql`SELECT to_regclass('site_settings') IS NOT NULL AS exists`;
  if (!table?.exists) return false;
  return (await sql`SELECT 1 FROM site_settings WHERE name = ${name}`).length > 0;
}
