import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { withDatabase } from "./with-database.ts";

/** As `withDatabase()`, but migrated, and with the site's name, color and time zone loaded for emails and lists. */
export function withSite(
  { isDryRun = false }: { isDryRun?: boolean },
  run: () => Promise<number>,
): Promise<number> {
  return withDatabase(async (url) => {
    await migrateUnlessDry(url, isDryRun);
    const { closeDatabase } = await import("#db/client.server.ts");
    const { loadSite } = await import("#app/domain/site/site.server.ts");
    try {
      await loadSite();
      return await run();
    } finally {
      await closeDatabase();
    }
  });
}
