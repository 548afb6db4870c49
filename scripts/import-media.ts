import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { explain } from "./command/explain.ts";
import { withDatabase } from "./command/with-database.ts";

const USAGE = `Usage: npm run media:import -- <folder> [--dry-run] [--access free|member|subscriber] [--creator "Name" [--portrait <picture>]]`;

// process.exitCode is not enough: open connections would keep the process running.
process.exit(await main());

async function main(): Promise<number> {
  const args = readArguments();
  if (typeof args === "string") {
    console.error(args);
    return 2;
  }
  try {
    return await withDatabase(
      async (url) => {
        await migrateUnlessDry(url, args.isDryRun);
        const { runImport } = await import("./command/run-import.ts");
        return runImport(args);
      },
      { makesDatabase: !args.isDryRun },
    );
  } catch (error) {
    console.error(`The import stopped: ${explain(error)}`);
    return 1;
  }
}

function readArguments() {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        "dry-run": { type: "boolean", default: false },
        access: { type: "string", default: "subscriber" },
        creator: { type: "string" },
        portrait: { type: "string" },
      },
    });
    const [folder, ...rest] = positionals;
    if (folder === undefined || rest.length > 0) return USAGE;
    const { access } = values;
    if (access !== "free" && access !== "member" && access !== "subscriber") return USAGE;
    if (!existsSync(join(folder, "."))) return `There is no folder ${folder}`;
    const creator = values.creator?.normalize("NFC").trim() || null;
    if (values.portrait !== undefined && creator === null) return `A portrait needs its --creator\n${USAGE}`;
    const portrait = values.portrait === undefined ? null : resolve(values.portrait);
    return { folder: resolve(folder), isDryRun: values["dry-run"], access, creator, portrait } as const;
  } catch (error) {
    return `${(error as Error).message}\n${USAGE}`;
  }
}
