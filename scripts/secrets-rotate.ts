import { migrateDatabase } from "#db/migrations/migrate.ts";
import { runCommand, UsageError } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

await runCommand({ name: "secrets:rotate" }, async () => {
  if (process.argv.length > 2) throw new UsageError();
  return withDatabase(async (url) => {
    await migrateDatabase(url);
    const { printRotation } = await import("./command/print-rotation.ts");
    return printRotation();
  });
});
