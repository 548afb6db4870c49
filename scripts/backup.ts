import { constants, existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { count } from "#app/counts.ts";
import { contentsOf } from "#app/domain/backup/archive-format.ts";
import { progressBar } from "./command/progress-bar.ts";
import { isPermitted, readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

const COMMAND = { name: "backup", takes: "-- <file> [--media]", failed: "Nothing was backed up. " };

await runCommand(COMMAND, async () => {
  const args = readArguments();
  return withDatabase((url) => run(url, args));
});

function readArguments(): { path: string; hasMedia: boolean } {
  const options = { media: { type: "boolean", default: false } } as const;
  const { values, positionals } = readOptions(options);
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) throw new UsageError();
  const path = resolve(file);
  const folder = dirname(path);
  if (existsSync(path)) throw new UsageError(`${path} already exists: choose another name.`);
  if (!existsSync(join(folder, "."))) throw new UsageError(`There is no folder ${folder}.`);
  if (!isPermitted(folder, constants.W_OK)) {
    throw new UsageError(`This user cannot write to ${folder}: choose another folder.`);
  }
  return { path, hasMedia: values.media };
}

async function run(url: string, { path, hasMedia }: { path: string; hasMedia: boolean }): Promise<number> {
  const { backUp } = await import("#app/domain/backup/back-up.server.ts");
  const bar = progressBar();
  const end = await backUp(url, path, { hasMedia, onProgress: bar.show }).finally(bar.close);
  console.log(`Backed up ${contentsOf(hasMedia, end)} to ${path}`);
  if (end.missingFiles === 0) return 0;
  console.error(
    `${count(end.missingFiles, "media file")} missing or incomplete: run npm run media:check for a list.`,
  );
  return 1;
}
