import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { localStorage } from "#app/domain/media/storage/local.server.ts";
import { db } from "#db/client.server.ts";
import { withConnection } from "#db/connection.ts";
import {
  destroySite,
  digestOf,
  emptyTarget,
  filesIn,
  runBackupScript,
} from "#tests/support/database/backup.ts";
import { createCreator, createPhotoSet, createVideo } from "#tests/support/media.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

const ROWS = 100_000;
const MAX_RESTORE_MS = 60_000;
const folder = await mkdtemp(join(tmpdir(), "peony-drill-"));
const source = process.env.DATABASE_URL ?? "";

beforeAll(async () => {
  await Promise.all([builtScript("backup"), builtScript("restore")]);
  await createCreator({ withFiles: true });
  await createVideo({ withFiles: true, title: "A tab\there, a \\ and\na line" });
  await createPhotoSet({ withFiles: true });
  await localStorage(config.media.dir).put("avatars/someone/1.webp", Buffer.from("portrait"));
  // The site's own connections limit the time of a statement.
  await withConnection(source, async (to) => {
    await to`INSERT INTO users (email, previous_visit_at)
      SELECT 'reader-' || n || '@example.com', now() FROM generate_series(1, ${ROWS}::int) n`;
    await to`INSERT INTO views (user_id, media_id, progress)
      SELECT users.id, media.id, random() * 100 FROM users, media`;
  });
  const [user] = await db.execute<{ id: string }>(sql`SELECT id FROM users LIMIT 1`);
  await enqueue("delete-avatars", { userId: user?.id ?? "" }, db, { afterSeconds: 3_600 });
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a site whose database and data folder are gone comes back to the last row and file within a minute", {
  timeout: 300_000,
}, async () => {
  const archive = join(folder, "whole.tar");
  expect(await runBackupScript("backup", source, config.dataDir, archive, "--media")).toMatchObject({
    code: 0,
  });
  const [rows, files] = [await digestOf(source), await filesIn(config.dataDir)];
  await destroySite(source, config.dataDir);

  const target = await emptyTarget(folder);
  const startedAt = performance.now();
  const restored = await runBackupScript("restore", target.url, target.dataDir, archive);
  expect(performance.now() - startedAt).toBeLessThan(MAX_RESTORE_MS);
  expect(restored).toMatchObject({ code: 0, stderr: "" });
  expect(restored.stdout).toMatch(/^Restored \d{3},\d{3} rows and \d+ media files from the backup of .*\.$/);
  expect(await digestOf(target.url)).toEqual(rows);
  expect(await filesIn(target.dataDir)).toEqual(files);
  const jobs = await withConnection(
    target.url,
    (to) => to`
    SELECT identifier, run_at > now() + interval '50 minutes' AS waits FROM graphile_worker._private_jobs
    JOIN graphile_worker._private_tasks task ON task.id = task_id`,
  );
  expect([...jobs]).toEqual([{ identifier: "delete-avatars", waits: true }]);
  const triggers = await withConnection(
    target.url,
    (to) => to`
    SELECT tgname FROM pg_trigger WHERE tgenabled <> 'O'`,
  );
  expect([...triggers], "all triggers act again").toEqual([]);

  const second = await runBackupScript("restore", target.url, target.dataDir, archive);
  expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining("The database is not empty") });
});
