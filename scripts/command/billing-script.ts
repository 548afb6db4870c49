import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { explain } from "./explain.ts";
import { withDatabase } from "./with-database.ts";

/** Resolves with the exit code. */
type Run = (options: { isDryRun: boolean }) => Promise<number>;

/**
 * Runs a billing script that takes only `--dry-run`, and ends the process. The exit code is the script's own, 1 with a
 * one-line message for a failure, or 2 for unknown arguments. `name` is that of the npm script. `run` must import
 * what reads the configuration, which is complete only then.
 */
export async function runBillingScript(name: string, run: Run): Promise<never> {
  // process.exitCode is not enough: open connections would keep the process running.
  process.exit(await codeOf(name, run));
}

async function codeOf(name: string, run: Run): Promise<number> {
  const args = process.argv.slice(2);
  if (args.some((argument) => argument !== "--dry-run")) {
    console.error(`Usage: npm run ${name} [-- --dry-run]`);
    return 2;
  }
  try {
    return await withDatabase(async (url) => {
      const isDryRun = args.length > 0;
      await migrateUnlessDry(url, isDryRun);
      return run({ isDryRun });
    });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}
