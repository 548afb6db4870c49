import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { config } from "#app/config.server.ts";
import { makeNightlyBackup } from "#app/domain/backup/nightly-backup.server.ts";
import { DISK_RESERVE_BYTES } from "#app/domain/media/storage/disk-full.ts";
import { tasks } from "#scripts/worker/tasks.ts";
import { loseFolders, sayFreeBytes } from "#tests/support/disks.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-nightly-"));
const configured = { ...config.backup };
afterAll(async () => {
  Object.assign(config.backup, configured);
  await rm(folder, { recursive: true, force: true });
});

test("without a folder, no backup is made at night", async () => {
  expect(await makeNightlyBackup()).toBeNull();
});

test("a backup at night leaves the newest ones, and nothing that is not its own is deleted", async () => {
  Object.assign(config.backup, { dir: folder, keep: 2 });
  const old = ["peony-20260101T023000Z.tar", "peony-20260102T023000Z.tar"];
  const others = ["notes.tar", "peony-before-the-move.tar"];
  const unfinished = "peony-20260104T023000Z.tar.0123456789ab.part";
  for (const name of [...old, ...others, unfinished]) {
    await writeFile(join(folder, name), "");
  }
  expect(await makeNightlyBackup()).toEqual({ rows: expect.any(Number), missingFiles: 0 });
  const left = (await readdir(folder)).sort();
  expect(left).toEqual([
    ...others.slice(0, 1),
    old[1],
    expect.stringMatching(/^peony-2\d{7}T\d{6}Z\.tar$/),
    ...others.slice(1),
  ]);
});

test("a backup at night that would fill its disk is refused before it is written, and begins once there is room", async () => {
  Object.assign(config.backup, { dir: folder, keep: 2 });
  const newest = join(folder, "peony-29991231T023000Z.tar");
  await writeFile(newest, Buffer.alloc(1024 ** 2));
  const before = await readdir(folder);
  const roomAgain = sayFreeBytes(DISK_RESERVE_BYTES + 1024 ** 2 - 4096);
  await expect(makeNightlyBackup()).rejects.toThrow(
    "The folder of BACKUP_DIR has no room for another backup and the 1 GB that stays free",
  );
  // Backups that a lower setting does not keep are deleted all the same.
  const names = before.filter((name) => name.startsWith("peony-2")).sort();
  expect(names).toHaveLength(3);
  expect((await readdir(folder)).sort()).toEqual(before.filter((name) => name !== names[0]).sort());
  roomAgain();
  sayFreeBytes(DISK_RESERVE_BYTES + 2 * 1024 ** 2);
  expect(await makeNightlyBackup()).toMatchObject({ missingFiles: 0 });
  await rm(newest);
});

test("a backup at night into a folder that never answers fails before the queue would begin another beside it", async () => {
  Object.assign(config.backup, { dir: folder });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  void loseFolders();
  const backup = expect(tasks["back-up"]()).rejects.toThrow("The folder of BACKUP_DIR does not answer");
  await vi.advanceTimersByTimeAsync(4 * 3_600_000);
  await backup;
});
