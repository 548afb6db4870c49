import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer, text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { type MediaStorage, MissingObjectError, StorageKeyError } from "#app/domain/media/storage/storage.ts";

/** What every storage promises. */
export function testStorage(storageOf: () => MediaStorage): void {
  const put = (key: string, content = "1") => storageOf().put(key, Buffer.from(content));

  test("a stored object is read back whole and by range", async () => {
    const storage = storageOf();
    const stored = await put("media/a/x.txt", "0123456789");
    expect(stored).toEqual({
      bytes: 10,
      sha256: "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882",
      crc32: 0xa684c7c6,
      storage: storage.place,
    });
    expect(await text(await storage.open("media/a/x.txt"))).toBe("0123456789");
    expect(await text(await storage.open("media/a/x.txt", { start: 2, end: 4 }))).toBe("234");
    expect(String(await storage.read("media/a/x.txt"))).toBe("0123456789");
    expect(await storage.head("media/a/x.txt")).toEqual({ bytes: 10 });
  });

  test("an object replaces the one before it", async () => {
    await put("media/r/x", "before");
    await put("media/r/x", "now");
    expect(String(await storageOf().read("media/r/x"))).toBe("now");
  });

  test("an empty object is an object", async () => {
    await put("media/n/empty", "");
    expect(await storageOf().head("media/n/empty")).toEqual({ bytes: 0 });
    expect(await text(await storageOf().open("media/n/empty"))).toBe("");
  });

  test("an object of several parts arrives as it was", async () => {
    const bytes = randomBytes(40 * 1024 * 1024);
    const stored = await storageOf().put(
      "media/big/file",
      Readable.from(piecesOf(bytes), { objectMode: false }),
    );
    expect(stored.bytes).toBe(bytes.byteLength);
    expect((await buffer(await storageOf().open("media/big/file"))).equals(bytes)).toBe(true);
    const range = { start: 16 * 1024 * 1024 - 5, end: 16 * 1024 * 1024 + 5 };
    const part = await buffer(await storageOf().open("media/big/file", range));
    expect(part.equals(bytes.subarray(range.start, range.end + 1))).toBe(true);
  });

  test("a file is copied, or moved", async () => {
    const path = join(await temporaryFolder(), "source");
    await writeFile(path, "abc");
    await storageOf().put("media/f/copied", { path });
    expect(await readFile(path, "utf8")).toBe("abc");
    await storageOf().put("media/f/moved", { path, move: true });
    await expect(stat(path)).rejects.toThrow("ENOENT");
    for (const name of ["copied", "moved"])
      expect(String(await storageOf().read(`media/f/${name}`))).toBe("abc");
  });

  test("a source that fails stores nothing", async () => {
    const failing = async function* () {
      yield randomBytes(20 * 1024 * 1024);
      throw new Error("the source failed");
    };
    const source = Readable.from(failing(), { objectMode: false });
    await expect(storageOf().put("media/s/half", source)).rejects.toThrow("the source failed");
    await expect(storageOf().put("media/s/half", { path: "/nowhere" })).rejects.toThrow("ENOENT");
    expect(await storageOf().head("media/s/half")).toBeNull();
  });

  test("a missing object is known as such", async () => {
    const storage = storageOf();
    expect(await storage.head("media/m/nothing")).toBeNull();
    expect(await storage.read("media/m/nothing")).toBeNull();
    expect(await storage.fileOf("media/m/nothing", await temporaryFolder())).toBeNull();
    await expect(storage.open("media/m/nothing")).rejects.toThrow(MissingObjectError);
  });

  test("a program gets a file, twice the same one", async () => {
    const folder = await temporaryFolder();
    await put("media/p/film.mp4", "film");
    const path = (await storageOf().fileOf("media/p/film.mp4", folder)) ?? "";
    expect(await readFile(path, "utf8")).toBe("film");
    expect(await storageOf().fileOf("media/p/film.mp4", folder)).toBe(path);
  });

  test("one object is deleted, and deleting a missing one is no error", async () => {
    for (const name of ["gone", "kept"]) await put(`media/e/${name}`);
    await storageOf().delete("media/e/gone");
    await storageOf().delete("media/e/gone");
    expect(await namesIn("media/e")).toEqual(["kept"]);
  });

  test("a folder is deleted with what is below it, and no other", async () => {
    for (const key of ["media/b/one", "media/b/3/two", "media/bb/three"]) await put(key);
    await storageOf().deleteFolder("media/b");
    await storageOf().deleteFolder("media/b");
    expect(await namesIn("media/b")).toEqual([]);
    expect(await namesIn("media/bb")).toEqual(["three"]);
  });

  test("the others of a folder are deleted", async () => {
    for (const key of ["avatars/u/1.webp", "avatars/u/2.webp", "avatars/u/old/3.webp"]) await put(key);
    await storageOf().deleteOthers("avatars/u", "2.webp");
    expect(await namesIn("avatars/u")).toEqual(["2.webp"]);
  });

  test("a listing gives 100 entries from the first by ascending name, unless a limit, an offset or a search says otherwise", async () => {
    const names = Array.from({ length: 105 }, (_, index) => `photo-${String(index).padStart(3, "0")}`);
    await Promise.all(
      [...names.toReversed(), "cover", "more/one"].map((name) => put(`media/l/${name}`, "12")),
    );
    const listed = async (options?: Parameters<MediaStorage["list"]>[1]) =>
      (await storageOf().list("media/l", options)).map(({ name }) => name);
    expect(await listed()).toEqual(["cover", "more", ...names.slice(0, 98)]);
    expect(await listed({ offset: 100 })).toEqual(names.slice(98));
    expect(await listed({ limit: 2, offset: 2 })).toEqual(names.slice(0, 2));
    expect(await listed({ search: "photo-10", limit: 3 })).toEqual(["photo-100", "photo-101", "photo-102"]);
    expect(await listed({ search: "over" })).toEqual([]);
    expect(await storageOf().list("media/l", { limit: 3 })).toEqual([
      { name: "cover", bytes: 2 },
      { name: "more", bytes: null },
      { name: "photo-000", bytes: 2 },
    ]);
    expect(await storageOf().list("media/nothing")).toEqual([]);
  });

  test("a walk finds every entry of a large folder while others are deleted, and all of them are deleted with it", async () => {
    const names = Array.from({ length: 1_050 }, (_, index) => `file-${String(index).padStart(4, "0")}`);
    for (let from = 0; from < names.length; from += 50)
      await Promise.all(names.slice(from, from + 50).map((name) => put(`media/w/${name}`)));
    const found: string[] = [];
    for await (const { name } of storageOf().entries("media/w")) {
      found.push(name);
      if (found.length === 10) await storageOf().delete("media/w/file-0003");
    }
    expect(found.sort()).toEqual(names);
    await storageOf().deleteFolder("media/w");
    expect(await namesIn("media/w")).toEqual([]);
  });

  test.each(["../x", "/etc/passwd", "media//x", "media/..", "media/a b", "", "é"])(
    "the key %o is refused",
    async (key) => {
      for (const call of [put(key), storageOf().open(key), storageOf().head(key), storageOf().list(key)])
        await expect(call).rejects.toThrow(StorageKeyError);
    },
  );

  async function namesIn(folder: string): Promise<string[]> {
    return (await storageOf().list(folder)).map(({ name }) => name);
  }
}

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "peony-storage-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

function* piecesOf(bytes: Buffer): Generator<Buffer> {
  for (let from = 0; from < bytes.byteLength; from += 1_000_003) yield bytes.subarray(from, from + 1_000_003);
}
