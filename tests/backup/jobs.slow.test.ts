import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { withConnection } from "#db/connection.ts";
import { emptyTarget, runBackupScript } from "#tests/support/database/backup.ts";
import { builtScript } from "#tests/support/process/built-script.ts";

/** Their payloads together exceed the 64 MiB of one entry. */
const JOBS = 2_700;
const folder = await mkdtemp(join(tmpdir(), "peony-jobs-"));
const source = process.env.DATABASE_URL ?? "";
beforeAll(() => Promise.all([builtScript("backup"), builtScript("restore")]), 600_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

test("a backlog of jobs that exceeds the memory of one piece comes back", { timeout: 300_000 }, async () => {
  await withConnection(
    source,
    (sql) => sql`SELECT count(*) FROM graphile_worker.add_jobs((SELECT array_agg(('send-mail',
      json_build_object('mailId', n, 'text', repeat('x', 25000)), NULL, now(), 7, NULL, 0, NULL)::graphile_worker.job_spec)
      FROM generate_series(1, ${JOBS}::int) n))`,
  );
  const path = join(folder, "backlog.tar");
  expect(await runBackupScript("backup", source, config.dataDir, path)).toMatchObject({ code: 0 });
  const target = await emptyTarget(folder);
  expect(await runBackupScript("restore", target.url, target.dataDir, path)).toMatchObject({
    code: 0,
    stderr: "",
  });
  expect(await jobsIn(target.url)).toEqual({ jobs: JOBS, different: JOBS });
});

async function jobsIn(url: string) {
  const [counts] = await withConnection(
    url,
    (sql) => sql`SELECT count(*)::int AS jobs, count(DISTINCT payload::jsonb ->> 'mailId')::int AS different
      FROM graphile_worker._private_jobs`,
  );
  return counts;
}
