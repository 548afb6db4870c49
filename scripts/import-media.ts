import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { readOptions, runCommand, UsageError } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

const USAGE = `Usage: npm run media:import -- <folder> [--dry-run] [--access free|member|subscriber] [--creator "Name" [--portrait <picture>]]`;

await runCommand(() => {
  const args = readArguments();
  return withDatabase(
    async (url) => {
      await migrateUnlessDry(url, args.isDryRun);
      const { runImport } = await import("./command/run-import.ts");
      return runImport(args);
    },
    { makesDatabase: !args.isDryRun },
  );
}, "The import stopped: ");

function readArguments() {
  const { values, positionals } = readOptions(USAGE, {
    "dry-run": { type: "boolean", default: false },
    access: { type: "string", default: "subscriber" },
    creator: { type: "string" },
    portrait: { type: "string" },
  });
  const [folder, ...rest] = positionals;
  if (folder === undefined || rest.length > 0) throw new UsageError(USAGE);
  const { access } = values;
  if (access !== "free" && access !== "member" && access !== "subscriber") throw new UsageError(USAGE);
  if (!existsSync(join(folder, "."))) throw new UsageError(`There is no folder ${folder}`);
  const creator = values.creator?.normalize("NFC").trim() || null;
  if (values.portrait !== undefined && creator === null) {
    throw new UsageError(`A portrait needs its --creator\n${USAGE}`);
  }
  const portrait = values.portrait === undefined ? null : resolve(values.portrait);
  return { folder: resolve(folder), isDryRun: values["dry-run"], access, creator, portrait } as const;
}
