import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { FIRST_FORMAT, FORMAT } from "#app/domain/backup/archive-format.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import { readJournal } from "#db/migrations/journal.ts";
import {
  emptyTarget,
  keysIn,
  runBackupScript,
  settingsOf,
  storageOf,
} from "#tests/support/database/backup.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { builtScript, runScript } from "#tests/support/process/built-script.ts";
import { type AddedMigration, makeRelease } from "#tests/support/upgrade/release.ts";

/** Enough for two pieces of one table. */
const ROWS = 60_000;
const AUDIT_ENTRY =
  "INSERT INTO audit_log (actor, action, subject_kind, subject_id) VALUES ('x', 'role.changed', 'user', 'y')";
const folder = await mkdtemp(join(tmpdir(), "peony-backup-"));
const whole = join(folder, "whole.tar");
const source = process.env.DATABASE_URL ?? "";

beforeAll(async () => {
  await Promise.all([builtScript("backup"), builtScript("check-backup"), builtScript("restore")]);
  await createCreator({ withFiles: true });
  await createVideo({ withFiles: true });
  await createPhotoSet({ withFiles: true });
  await mediaStorage.put("avatars/someone/1.webp", Buffer.from("portrait"));
  // The site's own connections limit the time of a statement.
  await withConnection(source, async (to) => {
    await to`INSERT INTO users (email, previous_visit_at)
      SELECT 'reader-' || n || '@example.com', now() FROM generate_series(1, ${ROWS}::int) n`;
    await to.unsafe(AUDIT_ENTRY);
    await to.unsafe(AUDIT_ENTRY);
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
  const storage = storageOf(target.dataDir);
  const [kept = "", changed = "", ...absent] = await keysIn(config.dataDir);
  const stored = async (key: string) => (await mediaStorage.read(key)) ?? Buffer.alloc(0);
  await storage.put(kept, await stored(kept));
  await storage.put(
    changed,
    (await stored(changed)).map((byte) => byte ^ 1),
  );
  const { code, stdout, stderr } = await runBackupScript("restore", target.url, target.dataDir, path);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^Restored \d{2},\d{3} rows from the backup of .*\.$/);
  expect(stderr).toContain(`missing or damaged  ${changed}`);
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
  // The chain of the audit log is whole, goes on, and still cannot be changed.
  await withConnection(target.url, async (to) => {
    await to.unsafe(AUDIT_ENTRY);
    await expect(to`UPDATE audit_log SET actor = 'somebody else'`).rejects.toThrow("append-only");
  });
  const audit = await runScript("audit-verify", [], settingsOf(target));
  expect([audit.code, audit.stdout]).toEqual([
    0,
    expect.stringMatching(/^The audit log is intact: 3 entries\./),
  ]);
});

test("an intact backup is checked without a database, and nothing is written", async () => {
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
    expect.stringMatching(/^The backup of 2\S+ is intact: 6\d,\d{3} rows and \d+ media files\.$/),
  ]);
  expect(await readdir(folder)).toEqual(before);
  expect(await runBackupScript("check-backup", "", nowhere, join(folder, "none.tar"))).toMatchObject({
    code: 2,
  });
});

const ADA = { email: "ada@example.com" };

test("a later release restores the backups of each one before it, and an older one refuses them", {
  timeout: 300_000,
}, async () => {
  const present = (await readJournal()).at(-1)?.tag ?? "";
  const expansion: AddedMigration = [
    "0901_expansion",
    `-- Oldest build: ${present}\nALTER TABLE "users" ADD COLUMN "hue" text;
      UPDATE "users" SET "hue" = 'blue';`,
  ];
  const contract: AddedMigration = [
    "0902_contract",
    `-- Oldest build: 0901_expansion\nUPDATE "users" SET "hue" = "hue" || ' ' || "full_name";
      ALTER TABLE "users" DROP COLUMN "full_name";`,
  ];
  const earlier = await Promise.all([makeRelease([]), makeRelease([expansion])]);
  const latest = await makeRelease([expansion, contract]);
  const cases = [
    { release: earlier[0], row: { ...ADA, full_name: "Ada" }, restored: { ...ADA, hue: "blue Ada" } },
    {
      release: earlier[1],
      row: { ...ADA, full_name: "Ada", hue: "red" },
      restored: { ...ADA, hue: "red Ada" },
    },
    { release: latest, row: { ...ADA, hue: "red" }, restored: { ...ADA, hue: "red" } },
  ];
  for (const { release, row, restored } of cases) {
    const path = join(release.folder, "backup.tar");
    const site = await emptyTarget(folder);
    const target = await emptyTarget(folder);
    const run = (script: string, place: typeof site, args: string[], cwd: string) =>
      runScript(script, args, settingsOf(place), cwd);
    expect(await run("migrate", site, [], release.folder)).toMatchObject({ code: 0 });
    await withConnection(site.url, (to) => to`INSERT INTO users ${to(row)}`);
    expect(await run("backup", site, [path], release.folder)).toMatchObject({ code: 0 });

    const older = cases[cases.findIndex((one) => one.release === release) - 1]?.release;
    if (older) {
      const stderr = expect.stringContaining("newer version of the site");
      expect(await run("restore", target, [path], older.folder)).toMatchObject({ code: 1, stderr });
    }
    expect(await run("check-backup", target, [path], latest.folder)).toMatchObject({ code: 0 });
    expect(await run("restore", target, [path], latest.folder)).toMatchObject({ code: 0 });
    const found = await withConnection(target.url, (from) => from`SELECT email, hue FROM users`);
    expect([...found]).toEqual([restored]);
  }
  for (const { release } of cases) await release.remove();
});

test("a backup from before the first release is refused in one line, by the check and by a restore", async () => {
  const path = join(folder, "of old.tar");
  await writeFile(
    path,
    replaced(await readFile(whole), `"format":${FORMAT}`, `"format":${FIRST_FORMAT - 1}`),
  );
  const target = await emptyTarget(folder);
  for (const script of ["check-backup", "restore"] as const) {
    expect(await runBackupScript(script, target.url, target.dataDir, path)).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "This backup is from before Peony's first release, and no later version can restore it: start with an empty DATA_DIR and database, and import your media again from the folders that they came from.",
    });
  }
  const tables = await withConnection(
    target.url,
    (from) => from`SELECT to_regclass('public.users') AS users`,
  );
  expect([...tables]).toEqual([{ users: null }]);
});

test("a backup that cannot be written leaves nothing behind, and none is overwritten", async () => {
  const before = await readdir(folder);
  const { code, stderr } = await runBackupScript("backup", source, config.dataDir, whole);
  expect([code, stderr]).toEqual([2, expect.stringContaining("already exists")]);
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
