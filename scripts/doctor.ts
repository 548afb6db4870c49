import { explain } from "./command/explain.ts";
import { readFlag, runCommand } from "./command/run-command.ts";
import { withDatabase } from "./command/with-database.ts";
import type { CheckResult } from "./doctor/check.ts";

await runCommand({ name: "doctor", takes: "[-- --json]" }, main);

/** Returns the exit code: 1 if something is wrong. */
async function main(): Promise<number> {
  const isJson = readFlag("--json");
  const results: CheckResult[] = [];
  const report = (result: CheckResult) => {
    results.push(result);
    if (!isJson) console.log(lineOf(result));
  };
  try {
    await withDatabase((url) => examine(url, report), { takesAnySchema: true });
  } catch (error) {
    for (const advice of explain(error).split("\n")) report({ name: "settings", isOk: false, advice });
  }
  if (isJson) console.log(JSON.stringify(results));
  return results.every(({ isOk }) => isOk) ? 0 : 1;
}

async function examine(url: string, report: (result: CheckResult) => void): Promise<void> {
  const [{ runCheck }, ...groups] = await Promise.all([
    import("./doctor/check.ts"),
    import("./doctor/database-checks.ts").then(({ databaseChecks }) => databaseChecks(url)),
    import("./doctor/machine-checks.ts").then(({ machineChecks }) => machineChecks()),
    import("./doctor/service-checks.ts").then(({ serviceChecks }) => serviceChecks()),
    import("./doctor/address-checks.ts").then(({ addressChecks }) => addressChecks()),
  ]);
  const { closeDatabase } = await import("#db/client.server.ts");
  try {
    const wrong = new Set<string>();
    for (const check of groups.flat()) {
      if (check.needs !== undefined && wrong.has(check.needs)) continue;
      const result = await runCheck(check);
      if (!result.isOk) wrong.add(result.name);
      report(result);
    }
  } finally {
    await closeDatabase();
  }
}

function lineOf(result: CheckResult): string {
  const text = result.isOk ? result.detail : result.advice;
  return `${result.isOk ? "ok " : "FIX"}  ${result.name.padEnd(15)} ${text}`;
}
