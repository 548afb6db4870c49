import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test, vi } from "vitest";
import { readArchive, readEntry } from "#app/domain/backup/archive.server.ts";
import { backUp } from "#app/domain/backup/back-up.server.ts";
import { withConnection } from "#db/connection.ts";
import { emptyTarget, runBackupScript } from "#tests/support/database/backup.ts";
import { cloneDatabase } from "#tests/support/database/clone-database.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

/** Applied between the start of a backup and its connection. */
const LATER = "9999_while_the_backup_starts";
vi.mock("#app/domain/backup/long-connection.server.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("#app/domain/backup/long-connection.server.ts")>();
  return {
    ...original,
    withLongConnection: async (url: string, ...rest: [never, never]) => {
      await withConnection(
        url,
        (sql) =>
          sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at, name) VALUES ('', 9e12, ${LATER})`,
      );
      return original.withLongConnection(url, ...rest);
    },
  };
});

const folder = await mkdtemp(join(tmpdir(), "peony-moment-"));
beforeAll(() => Promise.all([builtScript("backup"), builtScript("restore")]), 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backup names the migration of the moment that it shows", async () => {
  const path = join(folder, "moment.tar");
  await backUp(await cloneDatabase(inject("serverUrl")), path, { hasMedia: false });
  for await (const entry of readArchive(path)) {
    expect(JSON.parse((await readEntry(entry)).toString())).toMatchObject({ migration: LATER });
    break;
  }
});

test("a database without the site's tables is not backed up", async () => {
  const { url, dataDir } = await emptyTarget(folder);
  const before = await readdir(folder);
  const { code, stderr } = await runBackupScript("backup", url, dataDir, join(folder, "nothing.tar"));
  expect([code, stderr]).toEqual([1, expect.stringContaining("no tables of the site")]);
  expect(await readdir(folder)).toEqual(before);
});
