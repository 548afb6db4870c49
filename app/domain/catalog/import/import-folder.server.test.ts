import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test, vi } from "vitest";
import { db } from "#db/client.server.ts";
import { importLines, openImport, picture } from "#tests/support/import-folder.ts";
import { HOST } from "#tests/support/media.ts";
import { deleteFilesOf, deleteRetiredFiles } from "../edit/files/delete-files.server.ts";
import { changeState } from "../edit/states/transitions.server.ts";
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
const { folder, allFiles, expectStorageToMatch, rows } = await openImport();

test("a stored item keeps its files when the database's answer is lost, and is found the next time", async () => {
  await picture(join(folder, "1.jpg"), "red");
  saved.losesAnswer = true;
  expect(await importLines(folder)).toEqual([expect.stringContaining("the connection was lost")]);
  saved.losesAnswer = false;
  expect(await rows()).toHaveLength(1);
  await expectStorageToMatch();
  expect(await importLines(folder)).toEqual([expect.stringMatching(/^present /)]);
});

test("an item that was not stored leaves no file", async () => {
  await picture(join(folder, "1.jpg"), "red");
  saved.fails = true;
  expect(await importLines(folder)).toEqual([expect.stringContaining("the database refused it")]);
  saved.fails = false;
  expect([await rows(), await allFiles()]).toEqual([[], []]);
});

test("an import that is stopped leaves no file, and one that has lost its lock leaves all to the next one", async () => {
  await picture(join(folder, "1.jpg"), "green");
  saved.fails = true;
  onTestFinished(() => void Object.assign(saved, { fails: false, meanwhile: () => {} }));
  const end = async (reason?: unknown) => {
    const ending = new AbortController();
    saved.meanwhile = () => ending.abort(reason);
    await expect(importLines(folder, { signal: ending.signal })).rejects.toThrow();
    return (await allFiles()).length > 0;
  };
  const { length } = await rows();
  expect(await end()).toBe(false);
  expect(await end(new ImportLockLost())).toBe(true);
  saved.fails = false;
  saved.meanwhile = () => {};
  expect(await importLines(folder)).toHaveLength(1);
  expect(await rows()).toHaveLength(length + 1);
  await expectStorageToMatch();
});

test("a postponed deletion of files spares those of a draft that was deleted and imported again", async () => {
  await picture(join(folder, "1.jpg"), "blue");
  const importDraft = () => importLines(folder, { isPublishing: false });
  expect(await importDraft()).toEqual([expect.stringMatching(/^imported /)]);
  const [put = { mediaId: "", storageKeys: [] }] = await db.execute<{
    mediaId: string;
    storageKeys: string[];
  }>(sql`
    SELECT media_id AS "mediaId", jsonb_agg(storage_key) AS "storageKeys" FROM (
      SELECT media_id, storage_key FROM media_originals UNION ALL SELECT media_id, storage_key FROM media_files) f
    GROUP BY media_id`);
  await changeState(HOST, put.mediaId, "delete");
  await deleteFilesOf(put.mediaId);
  saved.meanwhile = () => deleteRetiredFiles(put);
  onTestFinished(() => void Object.assign(saved, { meanwhile: () => {} }));
  expect(await importDraft()).toEqual([expect.stringMatching(/^imported /)]);
  await expectStorageToMatch();
});
