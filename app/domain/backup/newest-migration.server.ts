import { sql } from "drizzle-orm";
import { readJournal } from "#db/migrations/journal.ts";
import type { BackupDatabase } from "./connect.server.ts";
import { BackupError } from "./contents.ts";

/** Its name as the transaction sees it. Throws a BackupError for a database that is not the site's. */
export async function newestMigration(db: BackupDatabase): Promise<string> {
  const { rows: tables } = await db.execute(
    sql`SELECT FROM pg_class WHERE oid = to_regclass('drizzle.__drizzle_migrations')`,
  );
  if (tables.length === 0) throw new BackupError("The database has no tables of the site: start it once.");
  // Versions before 0020 have recorded no name.
  const { rows } = await db.execute<{ when: number; name: string | null }>(sql`
    SELECT created_at::float8 AS "when", to_jsonb(migration) ->> 'name' AS name
    FROM drizzle.__drizzle_migrations migration ORDER BY created_at DESC LIMIT 1`);
  const [newest] = rows;
  const own = (await readJournal()).find(({ when }) => when === newest?.when);
  const name = own?.tag ?? newest?.name;
  if (!name) throw new BackupError("The database has no tables of the site: start it once.");
  return name;
}
