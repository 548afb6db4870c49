import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const NOT_COPIED = new Set([
  ".env",
  ".git",
  "build",
  "data",
  "node_modules",
  "playwright-report",
  "test-results",
]);

/** Copies the checkout as it is on disk, including uncommitted changes, and returns the new folder. */
export async function copyCheckout(): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "peony-mutants-"));
  const wanted = readdirSync(".").filter((name) => !NOT_COPIED.has(name));
  await Promise.all(wanted.map((name) => cp(name, join(copy, name), { recursive: true })));
  linkPackages(copy);
  return copy;
}

/** The copy needs its own node_modules folder, because that contains the build's lock and the tools' caches. */
function linkPackages(copy: string): void {
  mkdirSync(join(copy, "node_modules"));
  const packages = readdirSync("node_modules").filter((name) => !/^\.(?!bin$)/.test(name));
  for (const name of packages) symlinkSync(resolve("node_modules", name), join(copy, "node_modules", name));
}
