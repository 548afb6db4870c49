import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { makeNightlyBackup } from "#app/domain/backup/nightly-backup.server.ts";

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
