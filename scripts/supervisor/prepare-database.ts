import { drizzle } from "drizzle-orm/postgres-js";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { OLDEST_MAJOR } from "#db/server/security-releases.ts";
import { hasDemo, hasMedia } from "#demo/seed/has-demo.ts";
import { hasMembers, markDatabase, requireNoRealDatabase, requireNoUnknownMembers } from "./real-site.ts";

const TOO_OLD = `The database at DATABASE_URL is older than PostgreSQL ${OLDEST_MAJOR}: upgrade it, or leave DATABASE_URL empty for the built-in one.`;
const HOLDS_DEMO =
  "This database holds the demo, whose members and subscriptions do not belong on a real site: set another DATABASE_URL or DATA_DIR, or leave APP_URL empty.";

/**
 * Migrates the database and marks it as a demo's or a real site's. Throws if it belongs to the other kind; a demo
 * does not even migrate a database that is marked as a real site's.
 */
export async function prepareDatabase(
  url: string,
  { isDemo }: { isDemo: boolean },
): Promise<{ needsDemo: boolean; isEmptySite: boolean; hasStoredContact: boolean }> {
  await withConnection(url, async (sql) => {
    const [row] = await sql`SELECT current_setting('server_version_num')::int AS version`;
    if (row?.version < OLDEST_MAJOR * 10_000) throw new Error(TOO_OLD);
    if (isDemo) await requireNoRealDatabase(sql);
  });
  await migrateDatabase(url);
  return withConnection(url, async (sql) => {
    const database = drizzle(sql);
    const holdsDemo = await hasDemo(database);
    if (isDemo) await requireNoUnknownMembers(sql, { hasDemo: holdsDemo });
    else if (holdsDemo) throw new Error(HOLDS_DEMO);
    await markDatabase(sql, { isDemo });
    const isEmpty = !(await hasMedia(database));
    const contact = await sql`
      SELECT 1 FROM site_settings WHERE name = 'site.contactEmail' AND value #>> '{}' <> ''`;
    return {
      needsDemo: isDemo && isEmpty,
      isEmptySite: !isDemo && isEmpty && !(await hasMembers(sql)),
      hasStoredContact: contact.length > 0,
    };
  });
}
