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
import { testStorage } from "#tests/support/store/storage-suite.ts";
import { localStorage } from "./local.server.ts";
import { assertStorageKey } from "./storage.ts";
import { sweepTemporary, temporaryPath } from "./temporary.server.ts";

const root = await mkdtemp(join(tmpdir(), "peony-storage-"));
const storage = localStorage(root);

testStorage(() => storage);

test("a write leaves no temporary file", async () => {
  await storage.put("media/a/x.txt", Buffer.from("0123456789"));
  expect(await readdir(join(root, ".incoming"))).toEqual([]);
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

test("a listing and a walk leave out a file that vanishes meanwhile, and go on", async () => {
  const names = Array.from({ length: 250 }, (_, index) => `file-${String(index).padStart(3, "0")}`);
  await Promise.all(names.map((name) => storage.put(`media/v/${name}`, Buffer.from(""))));
  // A link without a target is listed, and then not found.
  await rm(join(root, "media/v/file-001"));
  await symlink("nowhere", join(root, "media/v/file-001"));
  const left = names.filter((name) => name !== "file-001");
  const walked: string[] = [];
  for await (const { name } of storage.entries("media/v")) walked.push(name);
  expect(walked).toEqual(left);
  expect((await storage.list("media/v")).map(({ name }) => name)).toEqual(left.slice(0, 100));
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
