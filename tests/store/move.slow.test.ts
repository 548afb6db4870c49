import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { startStore } from "#tests/support/store/start-store.ts";

const engine = await startStore();
const { config } = await import("#app/config.server.ts");
const { storeAvatar } = await import("#app/domain/media/avatar.server.ts");
const { checkFiles } = await import("#app/domain/catalog/media/check-files.server.ts");
const { deleteMovedFiles, moveFiles, readMovable } = await import(
  "#app/domain/catalog/media/move-files.server.ts"
);
const { mediaStorage, objectsBelow, storageOf } = await import(
  "#app/domain/media/storage/media-storage.server.ts"
);
const { db } = await import("#db/client.server.ts");
const { createOriginal, createPhotoSet, createVideo } = await import("#tests/support/media.ts");
const { cookiesOf } = await import("#tests/support/media-site.ts");
const { startFrontSite } = await import("#tests/support/front/front-site.ts");

const folder = storageOf("folder");
const signal = new AbortController().signal;
const problems: unknown[] = [];
const move = (to: "folder" | "store", abort = signal) =>
  moveFiles(to, { signal: abort, onDone: () => {}, onProblem: (problem) => problems.push(problem) });

/** As a site leaves it that knew no store. */
async function putBack(): Promise<void> {
  const keys = await db.execute<{ key: string }>(sql`
    SELECT storage_key AS key FROM media_files UNION SELECT storage_key FROM media_originals`);
  for (const { key } of keys) {
    await folder.put(key, await mediaStorage.open(key));
    await mediaStorage.delete(key);
  }
  for (const table of ["media_files", "media_originals"])
    await db.execute(sql`UPDATE ${sql.identifier(table)} SET storage = 'folder'`);
}

async function keysIn(storage: typeof folder): Promise<string[]> {
  const keys: string[] = [];
  for await (const { storageKey } of objectsBelow("media", storage)) keys.push(storageKey);
  return keys;
}

const placesOf = () =>
  db.execute(sql`SELECT storage, count(*)::int AS files FROM media_files GROUP BY 1 ORDER BY 1`);

test("a site moves to the store and back while it serves, and loses and doubles nothing", async () => {
  const video = await createVideo({ withFiles: true });
  await createPhotoSet({ photos: 3, withFiles: true });
  await createOriginal(video.id, Buffer.from("as it was imported"));
  await putBack();
  const userId = crypto.randomUUID();
  const { default: sharp } = await import("sharp");
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#808" } })
    .png()
    .toBuffer();
  const version = await storeAvatar(userId, png);
  const avatar = `avatars/${userId}/${version}.webp`;
  await folder.put(avatar, await mediaStorage.open(avatar));
  await mediaStorage.delete(avatar);
  const [{ files = 0 } = {}] = await placesOf();
  const site = await startFrontSite({}, { dataDir: config.dataDir });
  const { cookie } = await cookiesOf("active");
  const cover = `/media/${video.id}/cover-480.avif`;
  const see = async () => {
    const answer = await site.fetch(cover, { headers: { cookie } });
    return [answer.status, await answer.text()];
  };
  const before = await see();
  expect(before[0]).toBe(200);
  expect((await readMovable("store")).files).toBe(Number(files) + 1);

  expect(await move("store")).toBe(Number(files) + 2);
  expect(await placesOf()).toEqual([{ storage: "store", files }]);
  expect(await see()).toEqual(before);
  expect(await move("store")).toBe(0);
  const unknown: unknown[] = [];
  await checkFiles({ isReadingBytes: true, onProblem: (problem) => unknown.push(problem) });
  expect(unknown).toEqual([]);

  // A week later the folder is empty.
  await deleteMovedFiles();
  expect(await folder.head(avatar)).not.toBeNull();
  await db.execute(sql`UPDATE moved_files SET moved_at = now() - interval '8 days'`);
  await deleteMovedFiles();
  expect(await keysIn(folder)).toEqual([]);
  expect(await folder.head(avatar)).toBeNull();
  // A process remembers for five seconds where a file is.
  await expect.poll(see, { timeout: 8_000 }).toEqual(before);

  expect(await move("folder")).toBe(Number(files) + 2);
  expect(await placesOf()).toEqual([{ storage: "folder", files }]);
  // What names the folder again is not deleted there by the first move's list.
  await db.execute(sql`UPDATE moved_files SET moved_at = now() - interval '8 days'`);
  await deleteMovedFiles();
  await expect.poll(see, { timeout: 8_000 }).toEqual(before);
  expect(await keysIn(mediaStorage)).toEqual([]);
  expect(problems).toEqual([]);
  await site.stop();
}, 180_000);

test("what is moved back within the week stays where it is moved to", async () => {
  await db.execute(sql`DELETE FROM moved_files`);
  const avatar = `avatars/${crypto.randomUUID()}/1.webp`;
  await folder.put(avatar, Buffer.from("portrait"));
  await move("store");
  await move("folder");
  await db.execute(sql`UPDATE moved_files SET moved_at = now() - interval '8 days'`);
  await deleteMovedFiles();
  expect(await folder.head(avatar)).not.toBeNull();
  expect(await mediaStorage.head(avatar)).toBeNull();
});

test("a damaged and a missing file stay where they are and are named; an interrupted move goes on", async () => {
  await db.execute(sql`DELETE FROM media`);
  const { id } = await createVideo({ withFiles: true });
  await putBack();
  const rows = await db.execute<{ key: string }>(
    sql`SELECT storage_key AS key FROM media_files WHERE media_id = ${id} ORDER BY storage_key`,
  );
  const [first = "", second = "", ...others] = rows.map(({ key }) => key);
  await writeFile(join(config.media.dir, first), "another");
  await folder.delete(second);
  problems.length = 0;
  const put = vi.spyOn(mediaStorage, "put");
  const abort = new AbortController();
  put.mockImplementationOnce(async (key, source) => {
    abort.abort();
    put.mockRestore();
    return mediaStorage.put(key, source);
  });
  await expect(move("store", abort.signal)).rejects.toThrow("aborted");
  problems.length = 0;
  await move("store");
  expect(new Set(problems)).toEqual(
    new Set([
      { storageKey: first, what: "damaged" },
      { storageKey: second, what: "missing" },
    ]),
  );
  expect(await placesOf()).toEqual([
    { storage: "folder", files: 2 },
    { storage: "store", files: others.length },
  ]);
  expect(await mediaStorage.head(first)).toBeNull();
  expect(await readFile(join(config.media.dir, first), "utf8")).toBe("another");
});

test("a store that goes away stops the move, and the next run moves the rest", async () => {
  await db.execute(sql`DELETE FROM media`);
  await createVideo({ withFiles: true });
  await putBack();
  await engine.down();
  await expect(move("store")).rejects.toThrow("The object store does not answer");
  expect(await placesOf()).toEqual([{ storage: "folder", files: expect.any(Number) }]);
  await engine.up();
  expect(await move("store")).toBeGreaterThan(0);
  expect(await placesOf()).toEqual([{ storage: "store", files: expect.any(Number) }]);
});
