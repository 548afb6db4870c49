import { count } from "#app/counts.ts";
import { rowsIn } from "#app/domain/backup/archive-format.ts";
import { progressBar } from "./command/progress-bar.ts";
import { readFileArgument, runCommand } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

const SHOWN = 20;

await runCommand({ name: "restore", takes: "-- <file>" }, async () => {
  const path = readFileArgument();
  return withDatabase((url) => run(url, path), { makesDatabase: true });
});

async function run(url: string, path: string): Promise<number> {
  const { restore } = await import("#app/domain/backup/restore.server.ts");
  const bar = progressBar();
  const { head, end, absent } = await restore(url, path, bar.show).finally(bar.close);
  const files = head.hasMedia ? ` and ${count(end.files, "media file")}` : "";
  console.log(`Restored ${count(rowsIn(end), "row")}${files} from the backup of ${head.createdAt}.`);
  if (absent.length === 0) return 0;
  for (const key of absent.slice(0, SHOWN)) console.error(`missing or damaged  ${key}`);
  console.error(
    `${absent.length} of ${count(end.files, "media file")} missing or damaged: copy them to the media folder from your own backup, then run npm run media:check -- --hashes.`,
  );
  return 1;
}
