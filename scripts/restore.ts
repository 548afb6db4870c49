import { rowsIn } from "#app/domain/backup/archive-format.ts";
import { explain } from "./command/explain.ts";
import { fileArgument } from "./command/file-argument.ts";
import { progressBar } from "./command/progress-bar.ts";
import { withDatabase } from "./command/with-database.ts";

const SHOWN = 20;

// process.exitCode is not enough: open connections would keep the process running.
process.exit(await main());

async function main(): Promise<number> {
  const path = fileArgument("Usage: npm run restore -- <file>");
  if (path === null) return 2;
  try {
    return await withDatabase((url) => run(url, path), { makesDatabase: true });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

async function run(url: string, path: string): Promise<number> {
  const { restore } = await import("#app/domain/backup/restore.server.ts");
  const bar = progressBar();
  try {
    const { head, end, absent } = await restore(url, path, bar.show);
    bar.close();
    const files = head.hasMedia ? ` and ${end.files} media files` : "";
    console.log(`${rowsIn(end)} rows${files} of ${head.createdAt} are restored.`);
    if (absent.length === 0) return 0;
    for (const key of absent.slice(0, SHOWN)) console.error(`absent or damaged  ${key}`);
    console.error(
      `${absent.length} of ${end.files} media files are not in the media folder as they were: copy them from where you keep them, then run npm run media:check -- --hashes.`,
    );
    return 1;
  } finally {
    bar.close();
  }
}
