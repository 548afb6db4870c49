import { contentsOf } from "#app/domain/backup/archive-format.ts";
import { checkBackup } from "#app/domain/backup/check-backup.server.ts";
import { explain } from "./command/explain.ts";
import { fileArgument } from "./command/file-argument.ts";
import { progressBar } from "./command/progress-bar.ts";

const path = fileArgument("Usage: npm run backup:check -- <file>");
process.exitCode = path === null ? 2 : await check(path);

async function check(path: string): Promise<number> {
  const bar = progressBar();
  try {
    const { head, end } = await checkBackup(path, bar.show);
    bar.close();
    console.log(`The backup of ${head.createdAt} is whole: ${contentsOf(head.hasMedia, end)}.`);
    if (end.missingFiles > 0)
      console.log(`${end.missingFiles} more media files were missing or shortened when it was made.`);
    return 0;
  } catch (error) {
    bar.close();
    console.error(explain(error));
    return 1;
  }
}
