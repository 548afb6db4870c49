import { explain } from "./command/explain.ts";
import { withDatabase } from "./command/with-database.ts";

try {
  await withDatabase(process.argv.includes("--status") ? printStatus : migrate);
  process.exit(0);
} catch (error) {
  console.error(explain(error));
  process.exit(1);
}

async function migrate(url: string): Promise<void> {
  const { migrateDatabase } = await loadMigrations();
  await migrateDatabase(url);
  console.log("The database is up to date.");
}

async function printStatus(url: string): Promise<void> {
  const { listMigrations } = await loadMigrations();
  for (const { name, isApplied } of await listMigrations(url)) {
    console.log(`${isApplied ? "applied" : "pending"}  ${name}`);
  }
}

/** The import is not at the top, so that an error in the configuration is reported in one line like any other. */
async function loadMigrations() {
  await import("#app/config.server.ts");
  return import("#db/migrate.ts");
}
