import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { mediaStorage } from "#app/domain/media/storage/media-storage.server.ts";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { emptyTarget, filesIn, keysIn, runBackupScript, settingsOf } from "#tests/support/database/backup.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { createVideo } from "#tests/support/media.ts";
import { createMember } from "#tests/support/people.ts";
import { builtScript, runScript } from "#tests/support/process/built-script.ts";
import { makeRelease } from "#tests/support/upgrade/release.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-target-"));
const source = process.env.DATABASE_URL ?? "";
const AVATAR = "avatars/someone/1.webp";
const archive = join(folder, "whole.tar");

beforeAll(async () => {
  await Promise.all([builtScript("backup"), builtScript("restore")]);
  await createMember();
  await createVideo({ withFiles: true });
  await mediaStorage.put(AVATAR, Buffer.from("portrait"));
  expect(await runBackupScript("backup", source, config.dataDir, archive, "--media")).toMatchObject({
    code: 0,
  });
}, 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a database of another program is refused", async () => {
  const target = await emptyTarget(folder);
  await withConnection(target.url, async (sql) => {
    await sql`CREATE SCHEMA shop`;
    await sql`CREATE TABLE shop.orders (id int)`;
  });
  expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The database is not empty"),
  });
  const [made] = await withConnection(target.url, (sql) => sql`SELECT to_regclass('users') AS users`);
  expect(made).toEqual({ users: null });
});

test("rows of another program that refer to a table of the site are kept, and the restore refused", async () => {
  const target = await emptyTarget(folder);
  await migrateDatabase(target.url);
  await withConnection(target.url, async (sql) => {
    await sql`CREATE SCHEMA crm`;
    await sql`CREATE TABLE crm.notes (note text, user_id uuid REFERENCES public.users)`;
    await sql`INSERT INTO crm.notes (note) VALUES ('of nobody')`;
  });
  expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The database is not empty"),
  });
  expect([...(await withConnection(target.url, (sql) => sql`SELECT note FROM crm.notes`))]).toEqual([
    { note: "of nobody" },
  ]);
});

test("a sign-up that is being written is kept, and the restore refused", {
  timeout: 120_000,
}, async () => {
  const target = {
    url: await cloneDatabase(inject("serverUrl")),
    dataDir: (await emptyTarget(folder)).dataDir,
  };
  const visitor = postgres(target.url, { max: 1 });
  await visitor.begin(async (sql) => {
    await sql`INSERT INTO users (email) VALUES ('new@example.com')`;
    expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("Somebody else uses this database"),
    });
  });
  await visitor.end();
  expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("The database is not empty"),
  });
  const users = await withConnection(target.url, (sql) => sql`SELECT email FROM users`);
  expect([...users]).toEqual([{ email: "new@example.com" }]);
  expect(await filesIn(target.dataDir)).toEqual({});
});

test("a database that somebody else uses is left alone", { timeout: 60_000 }, async () => {
  const target = {
    url: await cloneDatabase(inject("serverUrl")),
    dataDir: (await emptyTarget(folder)).dataDir,
  };
  await withConnection(target.url, (sql) =>
    sql.begin(async (holder) => {
      await holder`SELECT FROM users`;
      expect(await runBackupScript("restore", target.url, target.dataDir, archive)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining("Somebody else uses this database"),
      });
    }),
  );
});

test("a migration that fails after the restore leaves the rows and the files", {
  timeout: 180_000,
}, async () => {
  const older = await cloneDatabase(inject("serverUrl"));
  await withConnection(older, (sql) => sql`INSERT INTO users (email) VALUES ('ada@example.com')`);
  const path = join(folder, "older.tar");
  await runBackupScript("backup", older, config.dataDir, path, "--media");

  const target = await emptyTarget(folder);
  await withConnection(target.url, refuseMigrationsOfFilled);
  const later = await makeRelease([["0901_hue", 'ALTER TABLE "users" ADD COLUMN "hue" text;']]);
  const restored = await runScript("restore", [path], settingsOf(target), later.folder).finally(later.remove);
  expect(restored).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/are restored.*npm run db:migrate/),
  });
  const [user] = await withConnection(target.url, (sql) => sql`SELECT email FROM users`);
  expect(user).toEqual({ email: "ada@example.com" });
  expect(await keysIn(target.dataDir)).toEqual([AVATAR]);
});

/** Fails migrations once there are users. A restore itself turns triggers off and on. */
async function refuseMigrationsOfFilled(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(`CREATE FUNCTION refuse() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
      IF current_query() LIKE '%TRIGGER USER' THEN RETURN; END IF;
      IF to_regclass('public.users') IS NOT NULL THEN
        IF EXISTS (SELECT FROM public.users) THEN RAISE 'refused by the test'; END IF;
      END IF;
    END $$;
    CREATE EVENT TRIGGER refuse ON ddl_command_start EXECUTE FUNCTION refuse()`);
}
