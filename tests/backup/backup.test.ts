import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { sql } from "drizzle-orm";
import postgres from "postgres";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { db } from "#db/client.server.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const ROWS = 100_000;
const folder = await mkdtemp(join(tmpdir(), "peony-backup-"));
const whole = join(folder, "whole.tar");
const source = process.env.DATABASE_URL ?? "";

beforeAll(async () => {
  await Promise.all([builtScript("backup"), builtScript("restore")]);
  await createCreator({ withFiles: true });
  await createVideo({ withFiles: true, title: "A tab\there, a \\ and\na line" });
  await createPhotoSet({ withFiles: true });
  await localStorage(config.media.dir).put("avatars/someone/1.webp", Buffer.from("portrait"));
  await db.execute(sql`INSERT INTO users (email, previous_visit_at)
    SELECT 'reader-' || n || '@example.com', now() FROM generate_series(1, ${ROWS}) n`);
  await db.execute(sql`INSERT INTO views (user_id, media_id, progress)
    SELECT users.id, media.id, random() * 100 FROM users, media`);
  const { id: userId } = (await db.execute<{ id: string }>(sql`SELECT id FROM users LIMIT 1`))[0] ?? {
    id: "",
  };
  await enqueue("delete-avatars", { userId }, db, { afterSeconds: 3_600 });
  await run("backup", source, config.dataDir, whole, "--media");
}, 120_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a site whose database and media folder are gone comes back to the last row and file", {
  timeout: 120_000,
}, async () => {
  const target = await emptyTarget();
  const restored = await run("restore", target.url, target.dataDir, whole);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(restored.stdout).toMatch(/^\d{6,} rows and \d+ media files of .* are restored\.$/);
  expect(await digestOf(target.url)).toEqual(await digestOf(source));
  expect(await filesIn(target.dataDir)).toEqual(await filesIn(config.dataDir));
  const jobs = await withDatabase(
    target.url,
    (to) => to`
    SELECT identifier, run_at > now() + interval '50 minutes' AS waits FROM graphile_worker._private_jobs
    JOIN graphile_worker._private_tasks task ON task.id = task_id`,
  );
  expect([...jobs]).toEqual([{ identifier: "delete-avatars", waits: true }]);
  const triggers = await withDatabase(
    target.url,
    (to) => to`
    SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'`,
  );
  expect([...triggers], "all triggers act again").toEqual([]);

  const second = await run("restore", target.url, target.dataDir, whole);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is not empty") });
});

test("without media, a restore tells which files are not in the media folder as they were", {
  timeout: 60_000,
}, async () => {
  const path = join(folder, "rows.tar");
  await run("backup", source, config.dataDir, path);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const target = await emptyTarget();
  const storage = localStorage(join(target.dataDir, "media"));
  const [kept = "", changed = "", ...absent] = await keysIn(config.dataDir);
  const bytes = await readFile(join(config.media.dir, changed));
  await storage.put(kept, await readFile(join(config.media.dir, kept)));
  await storage.put(
    changed,
    bytes.map((byte) => byte ^ 1),
  );
  const { code, stdout, stderr } = await run("restore", target.url, target.dataDir, path);
  expect(code).toBe(1);
  expect(stdout).toMatch(/^\d{6,} rows of .* are restored\.$/);
  expect(stderr).toContain(`absent or damaged  ${changed}`);
  expect(stderr).not.toContain(kept);
  expect(stderr).toContain(`${absent.length + 1} of ${absent.length + 2} media files`);
});

test("a cut, changed or foreign file restores nothing", { timeout: 120_000 }, async () => {
  const target = await emptyTarget();
  const bytes = await readFile(whole);
  const media = bytes.lastIndexOf("portrait");
  const cases: Record<string, [Buffer, RegExp]> = {
    "cut.tar": [bytes.subarray(0, bytes.length / 2), /damaged/],
    "without its end.tar": [bytes.subarray(0, bytes.indexOf("end.json")), /damaged/],
    "changed row.tar": [changed(bytes, bytes.indexOf("tables/users/000002") + 600_000), /damaged/],
    "changed file.tar": [changed(bytes, media), /damaged/],
    "text.tar": [Buffer.from("something else"), /no backup of this site/],
    "newer.tar": [replaced(bytes, '"format":1', '"format":9'), /newer version.*format 9/],
  };
  for (const [name, [content, message]] of Object.entries(cases)) {
    const path = join(folder, name);
    await writeFile(path, content);
    const { code, stderr } = await run("restore", target.url, target.dataDir, path);
    expect([code, stderr], name).toEqual([1, expect.stringMatching(message)]);
    expect(await keysIn(target.dataDir), name).toEqual([]);
  }
  expect(await run("restore", target.url, target.dataDir, whole), "the target is still empty").toMatchObject({
    code: 0,
  });
});

test("a newer build restores a backup of an older one, and an older build refuses one of a newer", {
  timeout: 60_000,
}, async () => {
  const older = await cloneDatabase(inject("serverUrl"), "template1");
  await migrateDatabase(older, "0018_closed_doors");
  await withDatabase(older, (to) => to`INSERT INTO users (email) VALUES ('ada@example.com')`);
  const path = join(folder, "older.tar");
  expect(await run("backup", older, (await emptyTarget()).dataDir, path)).toMatchObject({ code: 0 });
  const target = await emptyTarget();
  expect(await run("restore", target.url, target.dataDir, path)).toMatchObject({ code: 0 });
  const [found] = await withDatabase(
    target.url,
    (to) => to`
    SELECT (SELECT email FROM users) AS email, to_regclass('offer_fetches') IS NOT NULL AS is_migrated`,
  );
  expect(found).toEqual({ email: "ada@example.com", is_migrated: true });

  await writeFile(path, replaced(await readFile(path), "0018_closed_doors", "9918_closed_doors"));
  const refused = await run("restore", (await emptyTarget()).url, target.dataDir, path);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("newer version of the site") });
});

test("a backup that cannot be written leaves nothing behind, and none is overwritten", async () => {
  const before = await readdir(folder);
  const { code, stderr } = await run("backup", source, config.dataDir, whole);
  expect([code, stderr]).toEqual([2, expect.stringContaining("exists already")]);
  const nowhere = await run("backup", source, config.dataDir, join(folder, "no", "folder.tar"));
  expect(nowhere).toMatchObject({ code: 2, stderr: expect.stringContaining("There is no folder") });
  const unreachable = source.replace(/:\d+\//, ":1/");
  const failed = await run("backup", unreachable, config.dataDir, join(folder, "failed.tar"));
  expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was backed up") });
  expect(await readdir(folder)).toEqual(before);
});

test("no table has a sequence, whose value a backup would have to keep", async () => {
  expect([...(await db.execute(sql`SELECT 1 FROM pg_sequences WHERE schemaname = 'public'`))]).toEqual([]);
});

async function run(name: "backup" | "restore", databaseUrl: string, dataDir: string, ...args: string[]) {
  const { PATH } = process.env;
  const env = { NODE_ENV: "production" as const, PATH, DATABASE_URL: databaseUrl, DATA_DIR: dataDir };
  const command = [await builtScript(name), ...args];
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { env });
    return { code: 0, stdout: stdout.trim(), stderr: stderr.trim() };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout: stdout.trim(), stderr: stderr.trim() };
  }
}

async function emptyTarget(): Promise<{ url: string; dataDir: string }> {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  return { url, dataDir: await mkdtemp(join(folder, "data-")) };
}

async function withDatabase<Result>(
  url: string,
  work: (to: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const to = postgres(url, { max: 1, onnotice: () => {} });
  return work(to).finally(() => to.end());
}

/** A digest of each table's rows, the queue's apart. */
function digestOf(url: string): Promise<Record<string, string>> {
  return withDatabase(url, async (to) => {
    const tables = await to<{ name: string }[]>`
      SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`;
    const digests: Record<string, string> = {};
    for (const { name } of tables) {
      const [row] =
        await to`SELECT count(*) || ' ' || COALESCE(sum(hashtextextended(t::text, 0)), 0) AS digest FROM ${to(name)} t`;
      digests[name] = row?.digest;
    }
    return digests;
  });
}

async function keysIn(dataDir: string): Promise<string[]> {
  const root = join(dataDir, "media");
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return paths.map((path) => path.slice(root.length + 1)).sort();
}

async function filesIn(dataDir: string): Promise<Record<string, string>> {
  const files: Record<string, string> = {};
  for (const key of await keysIn(dataDir)) {
    const bytes = await readFile(join(dataDir, "media", key));
    files[key] = createHash("sha256").update(bytes).digest("hex");
  }
  return files;
}

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
