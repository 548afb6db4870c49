import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres from "postgres";
import { afterAll, beforeEach, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { readJournal } from "#db/migrations/journal.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { builtScript } from "#tests/support/process/built-script.ts";
import { failure } from "#tests/support/process/failing-start.ts";
import { makeEarlierRelease } from "#tests/support/upgrade/release.ts";

const NEWER = "9999_of_a_newer_build";
const REFUSAL = `The database was migrated by a newer version of Peony (migration ${NEWER}), and this one no longer works with it: start that version, or restore a backup from before.`;
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

function run(command: string, cwd?: string) {
  return failure({ DATABASE_URL, DATA_DIR: folder }, command.split(" "), cwd);
}

test.each([
  "supervise.js",
  "web.js",
  "worker.js",
  "seed-demo.js",
  "migrate.js",
  "import-media.js docs",
  "import-media.js docs --dry-run",
  "billing-sync.js",
  "billing-sync.js --dry-run",
  "billing-reconcile.js",
  "secrets-rotate.js",
  "check-media.js",
  `backup.js ${backup}`,
  "restore.js package.json",
])(
  "%s refuses a schema on which only newer builds work, in one line and without a change",
  async (command) => {
    await migrateAsNewer(NEWER);
    const before = await sql`SELECT * FROM drizzle.__drizzle_migrations`;
    const { code, lines } = await run(`build/scripts/${command}`);
    expect(lines).toEqual([expect.stringMatching(/The database was migrated/)]);
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

test("a newer schema that keeps this build working is taken, and said by db:status and the doctor", async () => {
  await migrateAsNewer(own);
  expect(await run("build/scripts/migrate.js")).toEqual({ code: 0, lines: ["The database is up to date."] });
  const status = await run("build/scripts/migrate.js --status");
  expect(status).toEqual({ code: 0, lines: expect.arrayContaining([`newer    ${NEWER}`]) });
  const doctor = await run("build/scripts/doctor.js");
  expect(doctor.lines).toContainEqual(expect.stringMatching(`^ok   migrations .* this one works: ${NEWER}$`));
});

test.each([
  ["0018_closed_doors", "migrate", false],
  ["0018_closed_doors", "web", false],
  ["0018_closed_doors", "worker", false],
  ["0020_announced_changes", "migrate", false],
  ["0021_tag_uses", "migrate", true],
  ["0023_waiting_rows", "migrate", true],
])(
  "a build whose newest migration is %s: its %s works with today's schema is %s",
  async (newest, program, works) => {
    const release = await makeEarlierRelease(newest);
    const ended = await run(`build/scripts/${program}.js`, release.folder).finally(release.remove);
    const refusal = REFUSAL.replace(NEWER, own);
    expect(ended).toEqual(
      works
        ? { code: 0, lines: ["The database is up to date."] }
        : { code: 1, lines: [expect.stringContaining(refusal)] },
    );
  },
);
