import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { listMigrations, requireSupportedSchema } from "#db/migrations/schema-state.ts";
import { readFlag, runCommand } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

await runCommand({ name: "db:migrate", takes: "[-- --status]" }, async () => {
  const isStatus = readFlag("--status");
  await withDatabase(isStatus ? printStatus : migrate, {
    takesAnySchema: isStatus,
    makesDatabase: !isStatus,
  });
  return 0;
});

async function migrate(url: string): Promise<void> {
  // Imported late, so that a wrong setting is reported in one line.
  await import("#app/config.server.ts");
  await migrateDatabase(url);
  console.log("The database is up to date.");
}

async function printStatus(url: string): Promise<void> {
  await import("#app/config.server.ts");
  for (const { name, isApplied, isNewer } of await listMigrations(url)) {
    console.log(`${isNewer ? "newer  " : isApplied ? "applied" : "pending"}  ${name}`);
  }
  await withConnection(url, requireSupportedSchema);
}
