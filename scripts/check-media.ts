import { count } from "#app/counts.ts";
import type { FileProblem } from "#app/domain/catalog/media/check-files.server.ts";
import { readFlag, runCommand } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";

await runCommand({ name: "media:check", takes: "[-- --hashes]" }, async () => {
  const isReadingBytes = readFlag("--hashes");
  return withDatabase(() => check(isReadingBytes));
});

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
  const advice =
    problems === 0
      ? ""
      : " Restore missing and damaged files. Unknown files belong to no item: delete them unless an import is running.";
  return `${count(checked, "file")} checked, ${count(problems, "problem")}.${advice}`;
}
