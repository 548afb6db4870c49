import { count } from "#app/counts.ts";
import { contentsOf } from "#app/domain/backup/archive-format.ts";
import { checkBackup } from "#app/domain/backup/check-backup.server.ts";
import { progressBar } from "./command/progress-bar.ts";
import { readFileArgument, runCommand } from "./command/run-command.ts";

await runCommand({ name: "backup:check", takes: "-- <file>" }, async () => {
  const path = readFileArgument();
  const bar = progressBar();
  const { head, end } = await checkBackup(path, bar.show).finally(bar.close);
  console.log(`The backup of ${head.createdAt} is intact: ${contentsOf(head.hasMedia, end)}.`);
  if (end.missingFiles > 0)
    console.log(
      `Left out: ${count(end.missingFiles, "media file")}, missing or incomplete when it was made.`,
    );
  return 0;
});
