import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { refuseCalls } from "#tests/support/process/refusing-disk.mjs";
import { runCheck } from "./check.ts";
import { machineChecks } from "./machine-checks.ts";

test("backups that are turned off are no finding, unlike none", async () => {
  const { isDemo, backup } = config;
  onTestFinished(() => void Object.assign(config, { isDemo, backup }));
  const findBackup = async (isOff: boolean) => {
    Object.assign(config, { isDemo: false, backup: { ...backup, dir: null, isOff } });
    const [check] = machineChecks().filter(({ name }) => name === "backup");
    return check && runCheck(check);
  };
  expect(await findBackup(false)).toMatchObject({
    isOk: false,
    advice: expect.stringMatching(/BACKUP_DIR=off/),
  });
  expect(await findBackup(true)).toMatchObject({ isOk: true });
});

test.each([
  ["EACCES", /: make the site's user the owner of [^;:]+ \(rename: EACCES\)$/],
  ["EPERM", /: make the site's user the owner of [^;:]+ \(rename: EPERM\)$/],
  ["EROFS", /: [^;:]+ is read-only; mount it for writing \(rename: EROFS\)$/],
  ["ENOSPC", /: the disk of [^;:]+ is full; free up space \(rename: ENOSPC\)$/],
  ["EDQUOT", /: the disk of [^;:]+ is full; free up space \(rename: EDQUOT\)$/],
  ["EINVAL", /: the disk of [^;:]+ refuses it; check it, or use another disk \(rename: EINVAL\)$/],
  ["EIO", /: the disk of [^;:]+ refuses it; check it, or use another disk \(rename: EIO\)$/],
])("a disk that answers %s is called by its fault, for media and for backups", async (code, advice) => {
  mkdirSync(config.media.dir, { recursive: true });
  const { dir } = config.backup;
  config.backup.dir = mkdtempSync(join(tmpdir(), "peony-backup-"));
  onTestFinished(() => void Object.assign(config.backup, { dir }));
  const checks = machineChecks().filter(({ name }) => ["media folder", "backup"].includes(name));
  onTestFinished(refuseCalls({ rename: code }));
  for (const check of checks)
    expect(await runCheck(check)).toMatchObject({ isOk: false, advice: expect.stringMatching(advice) });
});
