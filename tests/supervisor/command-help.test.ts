import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
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

test("a command whose reader leaves early, as in | head, still ends by itself and without an error", async () => {
  const program = spawn(process.execPath, ["scripts/run.mjs", "migrate", "--status"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  program.stdout.destroy();
  const ended = once(program, "close");
  expect([await text(program.stderr), await ended]).toEqual(["", [0, null]]);
});
