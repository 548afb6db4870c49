import { parseArgs } from "node:util";
import { migrateUnlessDry } from "#db/migrations/migrate.ts";
import { explain } from "./explain.ts";
import { withDatabase } from "./with-database.ts";

interface StaffCommand {
  /** Without "Usage: ". Shown for --help and for wrong arguments. */
  usage: string;
  /** The number of arguments that are no option. */
  arguments: number;
  options: readonly ("dry-run" | "json")[];
  /** Resolves with the exit code. It must import what reads the configuration, which is complete only then. */
  run: (given: { values: string[]; isDryRun: boolean; isJson: boolean }) => Promise<number>;
}

/** Runs a command of the studio and ends the process: 1 with one line for a failure, 2 for wrong arguments. */
export async function runStaffCommand(command: StaffCommand): Promise<never> {
  // process.exitCode is not enough: open connections would keep the process running.
  process.exit(await codeOf(command));
}

async function codeOf({ usage, arguments: count, options, run }: StaffCommand): Promise<number> {
  const given = readArguments(options);
  if (given?.isHelp) {
    console.log(`Usage: ${usage}`);
    return 0;
  }
  if (given === null || given.values.length !== count) {
    console.error(`Usage: ${usage}`);
    return 2;
  }
  try {
    return await withDatabase(async (url) => {
      await migrateUnlessDry(url, given.isDryRun);
      const { closeDatabase } = await import("#db/client.server.ts");
      return run(given).finally(closeDatabase);
    });
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

/** Null for an option that the command does not have. */
function readArguments(options: StaffCommand["options"]) {
  const known = Object.fromEntries([...options, "help"].map((name) => [name, { type: "boolean" as const }]));
  try {
    const { values, positionals } = parseArgs({ options: known, allowPositionals: true });
    return {
      values: positionals,
      isHelp: values.help === true,
      isDryRun: values["dry-run"] === true,
      isJson: values.json === true,
    };
  } catch {
    return null;
  }
}
