import { expect, test } from "vitest";
import { runScript } from "#tests/support/process/built-script.ts";
import manifest from "../../package.json" with { type: "json" };

const COMMANDS = Object.entries(manifest.scripts).flatMap(([name, line]) => {
  const [, program, ...args] = /^node scripts\/run\.mjs (\S+)(?: (.+))?$/.exec(line) ?? [];
  return program === undefined || args[0] !== undefined ? [] : [{ name, program }];
});

test.each(COMMANDS)("npm run $name explains itself", async ({ name, program }) => {
  const { code, stdout, stderr } = await runScript(program, ["--help"]);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(new RegExp(`^Usage: npm run ${name}(?: .+)?\n`));
});

test.each(COMMANDS)("npm run $name refuses an unknown option in one line", async ({ name, program }) => {
  const { code, stdout, stderr } = await runScript(program, ["--no-such-option"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(new RegExp(`^[^\\n]*npm run ${name}[^\\n]*\\n$`));
});
