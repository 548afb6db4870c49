import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { ACCESSES, DEFAULT_ACCESS } from "#app/domain/access/access.ts";
import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

const TAKES = `-- <folder> [--publish] [--force] [--dry-run] [--json] [--access free|member|subscriber] [--creator "Name" [--portrait <picture>]]`;
const DOES = `Makes a draft of each video and each folder of pictures, and updates items whose sidecars have changed.

  --publish      publish them, or schedule them if a sidecar has a date in the future
  --force        let sidecars overwrite changes made in the studio
  --access …     who may watch new items whose sidecar does not say: ${DEFAULT_ACCESS} by default
  --creator …    the creator of new items whose sidecar names none
  --portrait …   a picture of that creator
  --json         print JSON at the end, for programs
  --dry-run      change nothing, and print what would happen

docs/import.md describes folders and sidecars.`;

const COMMAND = { name: "media:import", takes: TAKES, does: DOES, failed: "The import stopped: " };

await runCommand(COMMAND, async () => {
  const args = readArguments();
  return withDatabase(
    async (url) => {
      await migrateUnlessDry(url, args.isDryRun);
      const { runImport } = await import("./command/run-import.ts");
      return runImport(args);
    },
    { makesDatabase: !args.isDryRun },
  );
});

function readArguments() {
  const flag = { type: "boolean", default: false } as const;
  const { values, positionals } = readOptions({
    ...{ publish: flag, force: flag, "dry-run": flag, json: flag },
    access: { type: "string", default: DEFAULT_ACCESS },
    creator: { type: "string" },
    portrait: { type: "string" },
  });
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError();
  const access = ACCESSES.find((each) => each === values.access);
  if (access === undefined) throw new UsageError();
  if (!existsSync(join(folder, "."))) throw new UsageError(`There is no folder ${folder}.`);
  const creator = values.creator?.normalize("NFC").trim() || null;
  if (values.portrait !== undefined && creator === null) {
    throw new UsageError("A portrait needs its --creator.");
  }
  const portrait = values.portrait === undefined ? null : resolve(values.portrait);
  const { publish: isPublishing, force: isForced, json: isJson, "dry-run": isDryRun } = values;
  const given = { access, creator, portrait, isPublishing, isForced, isJson, isDryRun } as const;
  return { folder: resolve(folder), ...given };
}
