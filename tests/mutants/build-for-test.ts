import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { importsOf, parse } from "#tests/support/sources/imports.ts";

const BUILDER = "scripts/build/build-state.mjs";
const BUILD = `const { buildWhenStale } = await import("./${BUILDER}"); await buildWhenStale();`;

/**
 * Builds the site in `folder` if the test starts it: on a busy machine, the test itself would time out during a
 * build. Throws the builder's own message.
 */
export async function buildForTest(file: string, folder: string): Promise<void> {
  if (!startsTheSite(file)) return;
  const args = ["--input-type=module", "--eval", BUILD];
  await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
    ({ stderr }: { stderr: string }) => {
      throw new Error(stderr.slice(stderr.indexOf("Build failed")));
    },
  );
}

function startsTheSite(test: string): boolean {
  const seen = new Set([test]);
  for (const file of seen) {
    if (file === BUILDER) return true;
    const isOfTests = file === test || file.startsWith("tests/");
    if (!isOfTests || !existsSync(file)) continue;
    for (const { to, isTypeOnly } of importsOf(parse(file))) if (!isTypeOnly) seen.add(to);
  }
  return false;
}
