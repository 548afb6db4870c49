import { randomUUID } from "node:crypto";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { refuseCalls } from "#tests/support/process/refusing-disk.mjs";
import { fc } from "#tests/support/seed.ts";
import { localStorage } from "./local.server.ts";
import { assertStorageKey, StorageKeyError } from "./storage.ts";
import { sweepTemporary, temporaryPath } from "./temporary.server.ts";

const root = await mkdtemp(join(tmpdir(), "peony-storage-"));
const storage = localStorage(root);

test("a stored file is read back whole and by range, and leaves no temporary file", async () => {
  const stored = await storage.put("media/a/x.txt", Buffer.from("0123456789"));
  expect(stored).toEqual({
    bytes: 10,
    sha256: "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882",
    crc32: 0xa684c7c6,
  });
  expect(await text(await storage.open("media/a/x.txt"))).toBe("0123456789");
  expect(await text(await storage.open("media/a/x.txt", { start: 2, end: 4 }))).toBe("234");
  expect(await readdir(join(root, ".incoming"))).toEqual([]);
});

test("one file is deleted, and deleting a missing one is no error", async () => {
  for (const name of ["gone", "kept"]) await storage.put(`media/e/${name}`, Buffer.from("1"));
  await storage.delete("media/e/gone");
  await storage.delete("media/e/gone");
  expect(await readdir(join(root, "media/e"))).toEqual(["kept"]);
});

test("a stored file is closed to other users, whatever mode its source had", async () => {
  const source = join(root, "source");
  await storage.put("media/c/bytes", Buffer.from("1"));
  for (const [name, mode, move] of [
    ["open", 0o666, false],
    ["moved", 0o666, true],
    ["read-only", 0o444, false],
  ] as const) {
    await writeFile(source, "abc");
    await chmod(source, mode);
    await storage.put(`media/c/${name}`, { path: source, move });
    await rm(source, { force: true });
  }
  for (const name of await readdir(join(root, "media/c"))) {
    expect((await stat(join(root, "media/c", name))).mode & 0o777, name).toBe(0o640);
  }
});

test.each<[string, Record<string, string>]>([
  ["SMB refuses chmod", { chmod: "EPERM" }],
  [
    "ZFS with restricted modes refuses chmod and a copy, which sets a mode",
    { chmod: "EPERM", copyfile: "EPERM" },
  ],
  ["a disk knows no modes", { chmod: "ENOTSUP", copyfile: "ENOTSUP" }],
  ["a disk in user space knows few calls", { chmod: "ENOSYS", copyfile: "ENOSYS", fsync: "ENOSYS" }],
  ["SMB refuses the fsync of a folder", { fsync: "EINVAL" }],
  ["NFS refuses the fsync of a folder", { fsync: "ENOTSUP" }],
  ["the folder may be written, not synced", { fsync: "EACCES" }],
  ["the folder cannot be opened", { open: "EACCES" }],
  ["a folder is no file", { open: "EISDIR", fsync: "EBADF" }],
  ["a copy on the server is refused", { copyfile: "EINVAL" }],
])("a file is stored where %s", async (_, codes) => {
  const elsewhere = await mkdtemp("/dev/shm/peony-storage-");
  onTestFinished(() => rm(elsewhere, { recursive: true }));
  const [near, far] = [join(root, "source"), join(elsewhere, "source")];
  for (const source of [near, far]) await writeFile(source, "abc", { mode: 0o600 });
  onTestFinished(refuseCalls(codes));
  await storage.put("media/f/copied", { path: near });
  await storage.put("media/f/moved", { path: near, move: true });
  await storage.put("media/f/moved-far", { path: far, move: true });
  for (const name of ["copied", "moved", "moved-far"]) {
    expect(await text(await storage.open(`media/f/${name}`))).toBe("abc");
    expect((await stat(join(root, "media/f", name))).mode & 0o007, name).toBe(0);
  }
  expect(await readdir(elsewhere)).toEqual([]);
});

test.each<[Record<string, string>]>([[{ fsync: "EIO" }], [{ chmod: "EIO" }], [{ copyfile: "EIO" }]])(
  "a disk that fails with %o stores nothing",
  async (codes) => {
    const source = join(root, "source");
    await writeFile(source, "abc");
    onTestFinished(refuseCalls(codes));
    await expect(storage.put("media/g/copied", { path: source })).rejects.toThrow("EIO");
    expect(await readdir(join(root, ".incoming"))).toEqual([]);
  },
);

test.each<[string, Record<string, string>]>([
  ["cannot change its mode", { chmod: "EIO" }],
  ["cannot sync the folder", { fsync: "EIO" }],
  ["has a file in place of the folder", {}],
  ["cannot rename", { rename: "EROFS" }],
])("a file that was to be moved is still there when the disk %s", async (_, codes) => {
  const elsewhere = await mkdtemp("/dev/shm/peony-storage-");
  onTestFinished(() => rm(elsewhere, { recursive: true }));
  await storage.put("media/h/taken", Buffer.from("1"));
  const isTaken = Object.keys(codes).length === 0;
  onTestFinished(refuseCalls(codes));
  for (const path of [join(root, "source"), join(elsewhere, "source")]) {
    await writeFile(path, "abc");
    const key = isTaken ? "media/h/taken/file" : "media/h/file";
    await expect(storage.put(key, { path, move: true })).rejects.toThrow();
    expect(await readFile(path, "utf8")).toBe("abc");
  }
  expect(await readdir(join(root, ".incoming"))).toEqual([]);
});

test("a listing gives 100 entries from the first by ascending name, unless a limit, an offset or a search says otherwise", async () => {
  const names = Array.from({ length: 105 }, (_, index) => `photo-${String(index).padStart(3, "0")}`);
  for (const name of [...names.toReversed(), "cover"])
    await storage.put(`media/l/${name}`, Buffer.from("12"));
  const listed = async (options?: Parameters<typeof storage.list>[1]) =>
    (await storage.list("media/l", options)).map(({ name }) => name);
  expect(await listed()).toEqual(["cover", ...names.slice(0, 99)]);
  expect(await listed({ offset: 100 })).toEqual(names.slice(99));
  expect(await listed({ limit: 2, offset: 1 })).toEqual(names.slice(0, 2));
  expect(await listed({ search: "photo-10", limit: 3 })).toEqual(["photo-100", "photo-101", "photo-102"]);
  expect(await listed({ search: "cov" })).toEqual(["cover"]);
  expect(await listed({ search: "over" })).toEqual([]);
});

test("a walk lists some entries at a time, each time after the last of them", async () => {
  const names = Array.from({ length: 105 }, (_, index) => `photo-${String(index).padStart(3, "0")}`);
  for (const name of names.toReversed()) await storage.put(`media/d/${name}`, Buffer.from("12"));
  await storage.put("media/d/more/one", Buffer.from("1"));
  expect(await storage.list("media/d", { limit: 2 })).toEqual([
    { name: "more", bytes: null },
    { name: "photo-000", bytes: 2 },
  ]);
  const first = await storage.list("media/d", { limit: 101 });
  expect(first.map(({ name }) => name)).toEqual(["more", ...names.slice(0, 100)]);
  const second = await storage.list("media/d", { limit: 101, after: first.at(-1)?.name });
  expect(second.map(({ name }) => name)).toEqual(names.slice(100));
  expect(await storage.list("media/nothing", { limit: 1 })).toEqual([]);
  await expect(storage.list("media/../..", { limit: 1 })).rejects.toThrow(StorageKeyError);
});

test("a deleted file is gone", async () => {
  await storage.put("media/b/one", Buffer.from("1"));
  await storage.deleteFolder("media/b");
  expect(await storage.head("media/b/one")).toBeNull();
});

test("no key leads out of the folder", () => {
  const parts = fc.constantFrom("..", ".", "/", "\\", "%2e", "%2f", "\0", "a", "~", " ", "etc", "é");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(parts).map((list) => list.join("")),
      ),
      (key) => {
        try {
          assertStorageKey(key);
        } catch {
          return true;
        }
        return join(root, key).startsWith(`${root}/`) && !key.split("/").includes("..");
      },
    ),
    { numRuns: 20_000 },
  );
});

test("a symbolic link out of the folder is refused", async () => {
  await symlink("/etc/hostname", join(root, "media", "link"));
  await expect(storage.open("media/link")).rejects.toThrow("Outside");
});

test("only the files of a dead process are swept, even if its process ID was reused, and all files after a day", async () => {
  const mine = await temporaryPath(root);
  const [host, pid, start] = mine.slice(mine.lastIndexOf("/") + 1).split("-");
  const incoming = (name: string) => join(root, ".incoming", name);
  const old = new Date(Date.now() - 25 * 3_600_000);
  await writeFile(mine, "");
  await writeFile(incoming(`${host}-4194999-${start}-${randomUUID()}`), "");
  await writeFile(incoming(`${host}-${pid}-${Number(start) - 1}-${randomUUID()}`), "");
  const abandoned = incoming(`${host}-${pid}-${start}-${randomUUID()}`);
  await writeFile(abandoned, "");
  await utimes(abandoned, old, old);
  // A long encoding.
  const folder = incoming(`${host}-${pid}-${start}-${randomUUID()}`);
  await mkdir(folder);
  await writeFile(join(folder, "rung.mp4"), "");
  await utimes(folder, old, old);
  await writeFile(incoming("other-1-1-new"), "");
  expect(await sweepTemporary(root)).toBe(3);
  expect((await readdir(join(root, ".incoming"))).sort()).toEqual(
    [basename(mine), basename(folder), "other-1-1-new"].sort(),
  );
});
