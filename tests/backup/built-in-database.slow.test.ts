import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { withConnection } from "#db/connection.ts";
import { migrateDatabase } from "#db/migrations/migrate.ts";
import { startEmbedded } from "#db/server/embedded.ts";
import { digestOf, filesIn, runBackupScript } from "#tests/support/database/backup.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const folder = await mkdtemp(join(tmpdir(), "peony-built-in-"));
const [used, unused] = [join(folder, "used"), join(folder, "unused")];
beforeAll(() => Promise.all([builtScript("backup"), builtScript("restore")]), 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a built-in database that is in use comes back in an unused folder", { timeout: 300_000 }, async () => {
  const archive = join(folder, "built-in.tar");
  const rows = await withBuiltIn(used, async (url) => {
    await migrateDatabase(url);
    await withConnection(url, (sql) => sql`INSERT INTO users (email) VALUES ('ada@example.com')`);
    await localStorage(join(used, "media")).put("avatars/someone/1.webp", Buffer.from("portrait"));
    expect(await runBackupScript("backup", "", used, archive, "--media")).toMatchObject({
      code: 0,
      stderr: "",
    });
    return digestOf(url);
  });
  expect(await runBackupScript("restore", "", unused, archive)).toMatchObject({ code: 0, stderr: "" });
  expect(await withBuiltIn(unused, digestOf)).toEqual(rows);
  expect(await filesIn(unused)).toEqual(await filesIn(used));
});

async function withBuiltIn<Result>(dataDir: string, run: (url: string) => Promise<Result>): Promise<Result> {
  const database = await startEmbedded(dataDir);
  try {
    return await run(database.adminUrl);
  } finally {
    await database.stop();
  }
}
