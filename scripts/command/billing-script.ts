import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { readFlag, runCommand } from "./run-command.ts";
import { withDatabase } from "./with-database.ts";

/** A command that takes only `--dry-run`; `name` is that of the npm script. `run` resolves with the exit code. */
export function runBillingScript(
  name: string,
  run: (options: { isDryRun: boolean }) => Promise<number>,
): Promise<never> {
  return runCommand(() => {
    const isDryRun = readFlag("--dry-run", `Usage: npm run ${name} [-- --dry-run]`);
    return withDatabase(async (url) => {
      await migrateUnlessDry(url, isDryRun);
      const { closeDatabase } = await import("#db/client.server.ts");
      const { loadSite } = await import("#app/domain/site/site.server.ts");
      try {
        // Mails have the site's name and color.
        await loadSite();
        return await run({ isDryRun });
      } finally {
        await closeDatabase();
      }
    });
  });
}
