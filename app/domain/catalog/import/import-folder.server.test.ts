import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { importLines, openImport, picture } from "#tests/support/import-folder.ts";
import { ImportLockLost } from "./import-lock.server.ts";

const saved = vi.hoisted(() => ({
  losesAnswer: false,
  fails: false,
  meanwhile: (): void | Promise<void> => {},
}));
vi.mock("./save-imported.server.ts", async (load) => {
  const original = await load<typeof import("./save-imported.server.ts")>();
  const saveImported: typeof original.saveImported = async (...given) => {
    await saved.meanwhile();
    if (saved.fails) throw new Error("the database refused it");
    const release = await original.saveImported(...given);
    if (saved.losesAnswer) throw new Error("the connection was lost");
    return release;
  };
  return { ...original, saveImported };
});
const { folder, filesOnDisk, expectDiskToMatch, rows } = await openImport();

test("an item that was not stored leaves no file", async () => {
  await picture(join(folder, "1.jpg"), "red");
  saved.fails = true;
  expect(await importLines(folder)).toEqual([expect.stringContaining("the database refused it")]);
  saved.fails = false;
  expect([await rows(), await filesOnDisk()]).toEqual([[], []]);
});

test("an import that is stopped leaves no file, and one that has lost its lock leaves all to the next one", async () => {
  await picture(join(folder, "1.jpg"), "green");
  saved.fails = true;
  onTestFinished(() => void Object.assign(saved, { fails: false, meanwhile: () => {} }));
  const end = async (reason?: unknown) => {
    const ending = new AbortController();
    saved.meanwhile = () => ending.abort(reason);
    await expect(importLines(folder, { signal: ending.signal })).rejects.toThrow();
    return (await filesOnDisk()).length > 0;
  };
  const { length } = await rows();
  expect(await end()).toBe(false);
  expect(await end(new ImportLockLost())).toBe(true);
  saved.fails = false;
  saved.meanwhile = () => {};
  expect(await importLines(folder)).toHaveLength(1);
  expect(await rows()).toHaveLength(length + 1);
  await expectDiskToMatch();
});
