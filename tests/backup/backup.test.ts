import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { FORMAT } from "#app/domain/backup/archive-format.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { emptyTarget, keysIn, runBackupScript } from "#tests/support/database/backup.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import {
  insertUnderFormerNames,
  readUnderPlainNames,
  storedAt,
} from "#tests/support/database/former-names.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

/** Enough for two pieces of one table. */
const ROWS = 60_000;
const STORED_AT = "2026-11-01T00:00:00.123Z";
const folder = await mkdtemp(join(tmpdir(), "peony-backup-"));
const whole = join(folder, "whole.tar");
const source = process.env.DATABASE_URL ?? "";

beforeAll(async () => {
  await Promise.all([builtScript("backup"), builtScript("check-backup"), builtScript("restore")]);
  await createCreator({ withFiles: true });
  await createVideo({ withFiles: true });
  await createPhotoSet({ withFiles: true });
  await localStorage(config.media.dir).put("avatars/someone/1.webp", Buffer.from("portrait"));
  // The site's own connections limit the time of a statement.
  await withConnection(source, async (to) => {
    await to`INSERT INTO users (email, previous_visit_at)
      SELECT 'reader-' || n || '@example.com', now() FROM generate_series(1, ${ROWS}::int) n`;
  });
  await runBackupScript("backup", source, config.dataDir, whole, "--media");
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("without media, a restore tells which files are not in the media folder as they were", {
  timeout: 240_000,
}, async () => {
  const path = join(folder, "rows.tar");
  await runBackupScript("backup", source, config.dataDir, path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const target = await emptyTarget(folder);
  const storage = localStorage(join(target.dataDir, "media"));
  const [kept = "", changed = "", ...absent] = await keysIn(config.dataDir);
  const bytes = await readFile(join(config.media.dir, changed));
  await storage.put(kept, await readFile(join(config.media.dir, kept)));
  await storage.put(
    changed,
    bytes.map((byte) => byte ^ 1),
  );
  const { code, stdout, stderr } = await runBackupScript("restore", target.url, target.dataDir, path);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\d{5,} rows of .* are restored\.$/);
  expect(stderr).toContain(`absent or damaged  ${changed}`);
  expect(stderr).not.toContain(kept);
  expect(stderr).toContain(`${absent.length + 1} of ${absent.length + 2} media files`);
});

test("a cut, changed or unrelated file restores nothing, and a check says so before", {
  timeout: 300_000,
}, async () => {
  const target = await emptyTarget(folder);
  const bytes = await readFile(whole);
  const media = bytes.lastIndexOf("portrait");
  const cases: Record<string, [Buffer, RegExp]> = {
    "cut.tar": [bytes.subarray(0, bytes.length / 2), /damaged: take another one\./],
    "without its end.tar": [bytes.subarray(0, bytes.indexOf("end.json")), /damaged/],
    "changed row.tar": [changed(bytes, bytes.indexOf("tables/users/000002") + 600_000), /damaged/],
    "changed file.tar": [changed(bytes, media), /damaged/],
    "text.tar": [Buffer.from("something else"), /no backup of this site/],
    "newer.tar": [replaced(bytes, `"format":${FORMAT}`, '"format":9'), /newer version.*format 9/],
  };
  for (const [name, [content, message]] of Object.entries(cases)) {
    const path = join(folder, name);
    await writeFile(path, content);
    for (const script of ["check-backup", "restore"] as const) {
      const { code, stderr } = await runBackupScript(script, target.url, target.dataDir, path);
      expect([code, stderr], `${script} ${name}`).toEqual([1, expect.stringMatching(message)]);
      if (script === "restore" && stderr.includes("damaged"))
        expect(stderr).toContain("Nothing was restored.");
    }
    expect(await keysIn(target.dataDir), name).toEqual([]);
  }
  expect(
    await runBackupScript("restore", target.url, target.dataDir, whole),
    "the target is still empty",
  ).toMatchObject({
    code: 0,
  });
});

test("a whole backup is checked without a database, and nothing is written", async () => {
  const before = await readdir(folder);
  const nowhere = join(folder, "no-data");
  const { code, stdout } = await runBackupScript(
    "check-backup",
    "postgres://127.0.0.1:1/none",
    nowhere,
    whole,
  );
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^The backup of 2\S+ is whole: 6\d{4} rows and \d+ media files\.$/),
  ]);
  expect(await readdir(folder)).toEqual(before);
  expect(await runBackupScript("check-backup", "", nowhere, join(folder, "none.tar"))).toMatchObject({
    code: 2,
  });
});

test.each(["0018_closed_doors", "0023_waiting_rows"])(
  "a backup that a build of migration %s made is restored, with what it stored under names that are gone",
  {
    timeout: 60_000,
  },
  async (newest) => {
    const older = await cloneDatabase(inject("serverUrl"), "template1");
    await migrateDatabase(older, newest);
    await withConnection(older, (to) => insertUnderFormerNames(to, "sub", STORED_AT));
    const path = join(folder, `${newest}.tar`);
    expect(await runBackupScript("backup", older, (await emptyTarget(folder)).dataDir, path)).toMatchObject({
      code: 0,
    });
    const target = await emptyTarget(folder);
    expect(await runBackupScript("restore", target.url, target.dataDir, path)).toMatchObject({ code: 0 });
    expect(await withConnection(target.url, (to) => readUnderPlainNames(to, "sub"))).toEqual(
      storedAt(STORED_AT),
    );

    await writeFile(path, replaced(await readFile(path), newest, newest.replace("00", "99")));
    const refused = await runBackupScript("restore", (await emptyTarget(folder)).url, target.dataDir, path);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("newer version of the site") });
  },
);

test("a backup that cannot be written leaves nothing behind, and none is overwritten", async () => {
  const before = await readdir(folder);
  const { code, stderr } = await runBackupScript("backup", source, config.dataDir, whole);
  expect([code, stderr]).toEqual([2, expect.stringContaining("exists already")]);
  const nowhere = await runBackupScript("backup", source, config.dataDir, join(folder, "no", "folder.tar"));
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no folder") });
  const unreachable = source.replace(/:\d+\//, ":1/");
  const failed = await runBackupScript("backup", unreachable, config.dataDir, join(folder, "failed.tar"));
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was backed up") });
  expect(await readdir(folder)).toEqual(before);
});

test("no table has a sequence, whose value a backup would have to keep", async () => {
  expect([...(await db.execute(sql`SELECT 1 FROM pg_sequences WHERE schemaname = 'public'`))]).toEqual([]);
});

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

/** The same number of bytes keeps the archive whole. */
function replaced(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes);
  copy.write(to, copy.indexOf(from));
  return copy;
}
