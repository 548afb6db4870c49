import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { config } from "#app/config.server.ts";
import { withConnection } from "#db/connection.ts";
import { readJournal } from "#db/migrations/journal.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { failure } from "#tests/support/process/failing-start.ts";
import { makeRelease, type Release } from "#tests/support/upgrade/release.ts";

const NEWER = "9999_of_a_newer_build";
/** The first and the last migration of the newest versions from before. The first has the name of today's. */
const OF_OLD = [
  { created_at: "1795676627068", name: "0000_first_schema", oldest_build: "0000_first_schema" },
  { created_at: "1795783514209", name: "0015_photo_favorites", oldest_build: "0014_trailers" },
];
/** The first versions' migrator recorded no names. */
const OLDEST = [{ created_at: "1795224941682" }];
const REFUSAL = `A newer version of Peony migrated the database (migration ${NEWER}), and this one no longer works with it: start the newer version, or restore an earlier backup.`;
const BEFORE_THE_FIRST =
  "This database is from before Peony's first release, and no later version can use it: start with an empty DATA_DIR and database, and import your media again from the folders that they came from. Accounts are not carried over.";
const DATABASE_URL = config.database.url ?? "";

const sql = postgres(DATABASE_URL, { max: 1, onnotice: () => {} });
const own = (await readJournal()).at(-1)?.tag ?? "";
const folder = await mkdtemp(join(tmpdir(), "peony-newer-"));
const backup = join(folder, "never-written.tar");
await builtScript("migrate");
beforeEach(() => sql`DELETE FROM drizzle.__drizzle_migrations WHERE name = ${NEWER} OR name IS NULL`);
afterAll(async () => {
  await sql.end();
  await rm(folder, { recursive: true, force: true });
});

/** Like a newer build's migrator; null is a migrator that did not say which builds still work. */
async function migrateAsNewer(oldestBuild: string | null): Promise<void> {
  const name = oldestBuild === null ? null : NEWER;
  await sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at, name, oldest_build)
    VALUES ('newer', ${Date.now() * 2}, ${name}, ${oldestBuild})`;
}

function run(command: string, { cwd, url = DATABASE_URL }: { cwd?: string; url?: string } = {}) {
  return failure({ DATABASE_URL: url, DATA_DIR: folder }, command.split(" "), cwd);
}

/** One for each way in which programs open the database. */
const COMMANDS = [
  "supervise.js",
  "web.js",
  "worker.js",
  "media-worker.js",
  "migrate.js",
  "import-media.js docs --dry-run",
  `backup.js ${backup}`,
  "restore.js package.json",
];

test.each(COMMANDS)(
  "%s refuses a schema on which only newer builds work, in one line and without a change",
  async (command) => {
    await migrateAsNewer(NEWER);
    const before = await sql`SELECT * FROM drizzle.__drizzle_migrations`;
    const { code, lines } = await run(`build/scripts/${command}`);
    expect(lines).toEqual([expect.stringMatching(/A newer version of Peony migrated/)]);
    expect(lines[0]).toContain(REFUSAL);
    expect(code).toBe(1);
    expect(await sql`SELECT * FROM drizzle.__drizzle_migrations`).toEqual(before);
    expect(await sql`SELECT name FROM site_settings`).toEqual([]);
  },
);

test("db:status lists the newer migration and refuses, and the doctor says the same", async () => {
  await migrateAsNewer(NEWER);
  const status = await run("build/scripts/migrate.js --status");
  expect(status.code).toBe(1);
  expect(status.lines.slice(-2).sort()).toEqual([REFUSAL, `newer    ${NEWER}`].sort());
  const doctor = await run("build/scripts/doctor.js");
  expect(doctor.lines).toContain(`FIX  migrations      ${REFUSAL}`);
});

test("a newer migration that does not say which builds still work is refused", async () => {
  await migrateAsNewer(null);
  await expect(migrateDatabase(DATABASE_URL)).rejects.toThrow(
    /migration without a name\), and this one no longer/,
  );
});

test("a newer schema that this build works with is accepted, and db:status and the doctor name it", async () => {
  await migrateAsNewer(own);
  expect(await run("build/scripts/migrate.js")).toEqual({ code: 0, lines: ["The database is up to date."] });
  const status = await run("build/scripts/migrate.js --status");
  expect(status).toEqual({ code: 0, lines: expect.arrayContaining([`newer    ${NEWER}`]) });
  const doctor = await run("build/scripts/doctor.js");
  expect(doctor.lines).toContainEqual(
    expect.stringMatching(`^ok   migrations .* this version works with: ${NEWER}$`),
  );
});

test.each(COMMANDS)(
  "%s refuses a database from before the first release, in one line and without a change",
  async (command) => {
    const url = await databaseFromBefore(OF_OLD);
    const { code, lines } = await run(`build/scripts/${command}`, { url });
    expect(lines).toEqual([expect.stringContaining(BEFORE_THE_FIRST)]);
    expect(code).toBe(1);
    const rows = await withConnection(
      url,
      (from) => from`SELECT created_at, name, oldest_build FROM drizzle.__drizzle_migrations ORDER BY id`,
    );
    expect([...rows]).toEqual(OF_OLD);
    const made = await withConnection(url, (from) => from`SELECT to_regclass('public.users') AS users`);
    expect([...made]).toEqual([{ users: null }]);
  },
);

test.each([
  ["the newest", OF_OLD],
  ["the oldest", OLDEST],
])(
  "db:status and the doctor say that a database of %s versions is from before the first release",
  async (_, rows) => {
    const url = await databaseFromBefore(rows);
    const status = await run("build/scripts/migrate.js --status", { url });
    expect(status.code).toBe(1);
    expect(status.lines).toContain(BEFORE_THE_FIRST);
    expect(status.lines.join()).not.toContain("newer");
    const doctor = await run("build/scripts/doctor.js", { url });
    expect(doctor.lines).toContain(`FIX  migrations      ${BEFORE_THE_FIRST}`);
  },
);

async function databaseFromBefore(rows: typeof OLDEST): Promise<string> {
  const url = await cloneDatabase(inject("serverUrl"), "template1");
  await withConnection(url, async (from) => {
    await from`CREATE SCHEMA drizzle`;
    await from`CREATE TABLE drizzle.__drizzle_migrations (
      id serial PRIMARY KEY, hash text NOT NULL DEFAULT 'of old', created_at bigint)`;
    if (rows === OF_OLD) {
      await from`ALTER TABLE drizzle.__drizzle_migrations ADD COLUMN name text, ADD COLUMN oldest_build text`;
    }
    await from`INSERT INTO drizzle.__drizzle_migrations ${from(rows)}`;
  });
  return url;
}

const [EXPANSION, CONTRACT] = ["0901_expansion", "0902_contract"] as const;
const added: [string, string][] = [
  [EXPANSION, `-- Oldest build: ${own}\nALTER TABLE "media" ADD COLUMN "hue" text;`],
  [CONTRACT, `-- Oldest build: ${EXPANSION}\nALTER TABLE "media" DROP COLUMN "color";`],
];
const releases: Record<string, Release> = {};
let upgraded = "";

beforeAll(async () => {
  releases[own] = await makeRelease([]);
  releases[EXPANSION] = await makeRelease(added.slice(0, 1));
  releases[CONTRACT] = await makeRelease(added);
  upgraded = await cloneDatabase(inject("serverUrl"));
  const { lines } = await run("build/scripts/migrate.js", { cwd: releases[CONTRACT].folder, url: upgraded });
  expect(lines).toEqual(["The database is up to date."]);
}, 60_000);
afterAll(() => Promise.all(Object.values(releases).map((release) => release.remove())));

test.each([
  [own, "migrate", false],
  [own, "web", false],
  [own, "worker", false],
  [EXPANSION, "migrate", true],
  [CONTRACT, "migrate", true],
])(
  "a build whose newest migration is %s: its %s works after the contract is %s",
  async (newest, program, works) => {
    const ended = await run(`build/scripts/${program}.js`, { cwd: releases[newest]?.folder, url: upgraded });
    const refusal = REFUSAL.replace(NEWER, CONTRACT);
    expect(ended).toEqual(
      works
        ? { code: 0, lines: ["The database is up to date."] }
        : { code: 1, lines: [expect.stringContaining(refusal)] },
    );
  },
);
