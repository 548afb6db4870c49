import { dirname } from "node:path";
import { expect, test } from "vitest";
import { importsOf, readSources } from "../support/sources/imports.ts";

const imports = readSources(["app", "bench", "db", "demo", "scripts"]).flatMap(importsOf);

test("no imports run in a circle", () => {
  expect(
    circles((path) => path),
    "move what both need into a file below them",
  ).toEqual([]);
  expect(circles(folderOf), "move what both need into a folder below them").toEqual([]);
});

/** The files of app itself are the frame around all folders, and the settings and addresses below them. */
function folderOf(path: string): string {
  return dirname(path) === "app" ? path : dirname(path);
}

/** Each circle once, as the nodes on it. */
function circles(nodeOf: (path: string) => string): string[] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const [user, used] = [nodeOf(from), nodeOf(to)];
    if (user !== used) next.set(user, (next.get(user) ?? new Set()).add(used));
  }
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (node: string, path: string[]) => {
    const start = path.indexOf(node);
    if (start >= 0) found.push([...path.slice(start), node].join(" → "));
    if (start >= 0 || done.has(node)) return;
    for (const used of next.get(node) ?? []) visit(used, [...path, node]);
    done.add(node);
  };
  for (const node of next.keys()) visit(node, []);
  return found;
}
