import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const INSTALL = resolve("scripts/build/install.mjs");
let folder: string;

// The checkout's npm only writes down its arguments, and the file that a real one writes last.
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "peony-install-"));
  mkdirSync(join(folder, "node_modules"));
  writeFileSync(
    join(folder, "npm"),
    `#!/bin/sh
echo "$@" >> calls
case "$*" in *--include=dev*) echo '"dev": true' ;; *) echo '{}' ;; esac > node_modules/.package-lock.json`,
  );
  chmodSync(join(folder, "npm"), 0o755);
  changeLockFile();
});
afterEach(() => rmSync(folder, { recursive: true }));

test("a start installs no tools, the first test adds them, and a later start leaves them", () => {
  expect(installed("start")).toEqual(["--omit=dev"]);
  expect(installed("start")).toEqual([]);
  expect(installed("test")).toEqual(["--include=dev"]);
  expect(installed("test")).toEqual([]);
  expect(installed("start")).toEqual([]);
});

test("a start after a change of the lock file updates the tools if there are any", () => {
  installed("start");
  changeLockFile();
  expect(installed("start")).toEqual(["--omit=dev"]);
  installed("test");
  changeLockFile();
  expect(installed("start")).toEqual(["--include=dev"]);
});

/** How npm was told to install now. */
function installed(command: "start" | "test"): string[] {
  writeFileSync(join(folder, "calls"), "");
  const call = `const { installWhenStale } = await import(${JSON.stringify(INSTALL)});
    installWhenStale(${command === "test" ? "{ withTools: true }" : ""});`;
  const env = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` };
  execFileSync(process.execPath, ["--input-type=module", "--eval", call], { cwd: folder, env });
  return readFileSync(join(folder, "calls"), "utf8").match(/--(?:omit|include)=\S+/g) ?? [];
}

/** It is newer than what was installed before. */
function changeLockFile(): void {
  writeFileSync(join(folder, "package-lock.json"), "{}");
  const installed = join(folder, "node_modules/.package-lock.json");
  if (existsSync(installed)) utimesSync(installed, 0, 0);
}
