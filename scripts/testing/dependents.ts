import { existsSync } from "node:fs";
import { importsOf, parse } from "#tests/support/sources/imports.ts";

const CODE = /\.(?:tsx?|[mc]?js)$/;
/** Every test runs under these. */
const SETUP = [
  "playwright.config.ts",
  "tests/support/global-setup.ts",
  "tests/support/order-by-times.ts",
  "tests/support/worker-setup.ts",
  "vitest.config.ts",
];
/** Tests start these by their paths. */
const STARTED = "tests/support/process/";

/**
 * The tests that import each file of `tests`, directly or through others: for the support of tests an import is the only
 * way to it. Null for a file of which imports do not say enough.
 */
export function readDependents(tests: string[]): (path: string) => string[] | null {
  const imported = new Map<string, string[]>();
  const directly = (path: string): string[] => {
    let found = imported.get(path);
    if (found === undefined) {
      found = CODE.test(path) && existsSync(path) ? importsOf(parse(path)).map(({ to }) => to) : [];
      imported.set(path, found.filter(isOfTests));
    }
    return imported.get(path) ?? [];
  };
  const reached = (path: string) => {
    const seen = new Set([path]);
    for (const one of seen) for (const to of directly(one)) seen.add(to);
    return seen;
  };
  const setup = new Set(SETUP.flatMap((path) => [...reached(path)]));
  const reachedBy = new Map(tests.map((test) => [test, reached(test)]));
  return (path) => {
    if (!isOfTests(path) || !CODE.test(path) || path.startsWith(STARTED) || setup.has(path)) return null;
    const dependents = tests.filter((test) => reachedBy.get(test)?.has(path));
    return dependents.length > 0 ? dependents : null;
  };
}

function isOfTests(path: string): boolean {
  return path.startsWith("tests/");
}
