import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { entriesIn } from "./media-storage.server.ts";

/** More than are listed at once. */
const FILES = 10_050;
const AT_ONCE = 500;
const folder = join(config.media.dir, "walked");
const names = Array.from({ length: FILES }, (_, index) => `file-${String(index).padStart(5, "0")}`);

beforeEach(async () => {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (let from = 0; from < FILES; from += AT_ONCE) {
    await Promise.all(names.slice(from, from + AT_ONCE).map((name) => writeFile(join(folder, name), "")));
  }
});

test("a walk goes on after files that vanish while they are listed", async () => {
  // A link without a target is listed, and then not found.
  for (const name of ["file-00000", "file-00700"]) {
    await rm(join(folder, name));
    await symlink("nowhere", join(folder, name));
  }
  expect(await walk()).toEqual(names.filter((name) => name !== "file-00000" && name !== "file-00700"));
});

test("a walk skips no file when files that it has passed are deleted", async () => {
  const deleted = new Set(names.slice(0, 100));
  expect(await walk((name) => deleted.has(name) && rm(join(folder, name)))).toEqual(names);
});

async function walk(passed: (name: string) => unknown = () => {}): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of entriesIn("walked")) {
    found.push(name);
    await passed(name);
  }
  return found;
}
