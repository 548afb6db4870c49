import { mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { writeArchive } from "#app/domain/backup/archive.server.ts";
import { refuseCalls } from "#tests/support/process/refusing-disk.mjs";

const folder = await mkdtemp(join(tmpdir(), "peony-archive-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

test("an archive follows no link and takes no file that lies ready for it", async () => {
  const [linked, open] = [join(folder, "linked.tar"), join(folder, "open.tar")];
  const target = join(folder, "target");
  await writeFile(target, "");
  await symlink(target, `${linked}.part`);
  await writeFile(`${open}.part`, "", { mode: 0o666 });
  for (const path of [linked, open]) {
    await writeArchive(path, (archive) => archive.add("a", "members"));
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  }
  expect(await readFile(target, "utf8")).toBe("");
});

test.each<[Record<string, string>]>([
  [{ fsync: "EINVAL" }],
  [{ fsync: "EACCES" }],
  [{ fsync: "ENOSYS" }],
  [{ open: "EACCES" }],
])("an archive is whole on a disk that syncs no folder (%o)", async (codes) => {
  onTestFinished(refuseCalls(codes));
  const path = join(folder, `${Object.values(codes)[0]}.tar`);
  await writeArchive(path, (archive) => archive.add("a", "members"));
  expect((await stat(path)).size).toBeGreaterThan(1024);
});

test("an archive that the disk loses leaves nothing under its name", async () => {
  onTestFinished(refuseCalls({ fsync: "EIO" }));
  const before = await readdir(folder);
  await expect(writeArchive(join(folder, "lost.tar"), (archive) => archive.add("a", "b"))).rejects.toThrow(
    "EIO",
  );
  expect(await readdir(folder)).toEqual(before);
});
