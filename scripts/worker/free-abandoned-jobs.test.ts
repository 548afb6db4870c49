import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { jobNamed } from "#app/domain/jobs/jobs.ts";
import { db } from "#db/client.server.ts";
import { freeAbandonedJobs } from "./free-abandoned-jobs.ts";

test("a backup of the night whose worker was killed waits for the next worker", async () => {
  const [, attempts] = /max=(\d+)/.exec(jobNamed("back-up").cron ?? "") ?? [];
  const [job] = await db.execute<{ id: string }>(sql`
    SELECT id FROM graphile_worker.add_job('back-up', '{}', max_attempts => ${Number(attempts)}::int)`);
  const id = job?.id ?? "";
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = 1, locked_by = 'killed', locked_at = now()
    WHERE id = ${id}`);
  await freeAbandonedJobs();
  const left = await db.execute(sql`SELECT FROM graphile_worker.jobs
    WHERE id = ${id} AND locked_by IS NULL AND attempts < max_attempts`);
  expect(left.length).toBe(1);
});
