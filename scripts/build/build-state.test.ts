import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const BUILD_STATE = resolve("scripts/build/build-state.mjs");
const folder = mkdtempSync(join(tmpdir(), "peony-build-"));
afterAll(() => rmSync(folder, { recursive: true }));

// The builders of this checkout only write down that they have been called.
beforeAll(() => {
  write("package.json", JSON.stringify({ engines: { node: ">=20" } }));
  write("node_modules/@remix-run/dev/dist/cli.js", builder("site", "build/server/index.js"));
  write("node_modules/vite/bin/vite.js", builder("programs", "build/scripts/worker.js"));
  write("build/client/assets/style.css", "body {}");
  for (const path of ["app/root.tsx", "db/client.server.ts", "demo/stripe/seed.ts", "demo/draw/shapes.ts"])
    write(path, "export {};");
  write("scripts/worker.ts", "export {};");
  buildAfter();
});

test("nothing is built twice", () => {
  expect(buildAfter()).toEqual([]);
});

test.each([
  ["the stand-in for Stripe builds the programs only", "demo/stripe/seed.ts", ["programs"]],
  ["vite.config.ts builds the site only", "vite.config.ts", ["site"]],
  ["a page builds both", "app/root.tsx", ["programs", "site"]],
  ["a picture of the demo builds nothing", "demo/draw/shapes.ts", []],
  ["a test builds nothing", "app/root.test.ts", []],
])("a change of %s", (_, path, built) => {
  write(path, "export const changed = true;");
  expect(buildAfter()).toEqual(built);
});

test("both parts are built side by side", () => {
  write("app/root.tsx", "export const another = true;");
  expect(buildAfter({ sideBySide: 2 })).toEqual(["programs", "site"]);
});

/** The parts that are built now; each waits until `sideBySide` of them have begun. */
function buildAfter({ sideBySide = 1 } = {}): string[] {
  write("built", "");
  const call = `await (await import(${JSON.stringify(BUILD_STATE)})).buildWhenStale();`;
  const env = { ...process.env, SIDE_BY_SIDE: String(sideBySide) };
  execFileSync(process.execPath, ["--input-type=module", "--eval", call], {
    cwd: folder,
    env,
    timeout: 60_000,
  });
  return readFileSync(join(folder, "built"), "utf8").split("\n").filter(Boolean).sort();
}

function builder(part: string, lastFile: string): string {
  return `const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require("node:fs");
    mkdirSync(${JSON.stringify(dirname(lastFile))}, { recursive: true });
    writeFileSync(${JSON.stringify(lastFile)}, "");
    appendFileSync("built", ${JSON.stringify(`${part}\n`)});
    const wait = setInterval(() => {
      if (readFileSync("built", "utf8").trim().split("\\n").length >= process.env.SIDE_BY_SIDE) clearInterval(wait);
    }, 10);`;
}

function write(path: string, content: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}
