import { drizzle } from "drizzle-orm/postgres-js";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { hasDemo } from "#db/seed/has-demo.ts";
import { hasMedia } from "#db/seed/has-media.ts";

const OLDEST = 150_000;
const TOO_OLD =
  "The database at DATABASE_URL is older than PostgreSQL 15: upgrade it, or leave DATABASE_URL empty for the built-in one.";
const HOLDS_DEMO =
  "This database holds the demo, whose people and subscriptions have no place on a real site: set another DATABASE_URL or DATA_DIR, or leave APP_URL empty.";

/** Migrates. Says whether the demo is to be loaded; throws when it is there and must not be. */
export async function prepareDatabase(
  url: string,
  { isDemo }: { isDemo: boolean },
): Promise<{ needsDemo: boolean }> {
  await withConnection(url, async (sql) => {
    const [row] = await sql`SELECT current_setting('server_version_num')::int AS version`;
    if (row?.version < OLDEST) throw new Error(TOO_OLD);
  });
  await migrateDatabase(url);
  return withConnection(url, async (sql) => {
    const database = drizzle(sql);
    if (isDemo) return { needsDemo: !(await hasMedia(database)) };
    if (await hasDemo(database)) throw new Error(HOLDS_DEMO);
    return { needsDemo: false };
  });
}
