import type { FileProblem } from "#app/domain/catalog/media/check-files.server.ts";
import { explain } from "./command/explain.ts";
import { withDatabase } from "./command/with-database.ts";

const USAGE = "Usage: npm run media:check [-- --hashes]";

// process.exitCode is not enough: open connections would keep the process running.
process.exit(await main());

/** Prints one line per problem. Returns the exit code: 1 when something is wrong. */
async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args.some((argument) => argument !== "--hashes")) {
    console.error(USAGE);
    return 2;
  }
  try {
    return await withDatabase(() => check(args.length > 0));
  } catch (error) {
    console.error(explain(error));
    return 1;
  }
}

async function check(isReadingBytes: boolean): Promise<number> {
  const { checkFiles } = await import("#app/domain/catalog/media/check-files.server.ts");
  const { closeDatabase } = await import("#db/client.server.ts");
  let problems = 0;
  const onProblem = ({ storageKey, what }: FileProblem) => {
    problems += 1;
    console.log(`${what.padEnd(15)} ${storageKey}`);
  };
  try {
    const checked = await checkFiles({ isReadingBytes, onProblem });
    console.log(summary(checked, problems));
    return problems === 0 ? 0 : 1;
  } finally {
    await closeDatabase();
  }
}

function summary(checked: number, problems: number): string {
  const found = problems === 1 ? "1 problem" : `${problems} problems`;
  const advice =
    problems === 0
      ? ""
      : " Restore what is missing or damaged. Unknown files belong to no media: delete them unless an import is running.";
  return `${checked} files checked, ${found}.${advice}`;
}
