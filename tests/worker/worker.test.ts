import { getPriority } from "node:os";
import { sql } from "drizzle-orm";
import { parseCrontab } from "graphile-worker";
import { expect, test } from "vitest";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { cronLine } from "#scripts/worker/run-worker.ts";
import { startWorker } from "../support/billing/worker-process.ts";

test("the worker runs at a lower priority than the web processes", async () => {
  const worker = startWorker();
  try {
    const own = getPriority();
    const its = () => getPriority(worker.process.pid);
    // The worker is compiled while it starts.
    await expect.poll(its, { timeout: 60_000 }).toBe(Math.min(own + 10, 19));
  } finally {
    await worker.kill();
  }
}, 90_000);

test("a job whose only try was killed does not stay for ever", async () => {
  const [job] = await db.execute<{ id: string }>(sql`
    SELECT id FROM graphile_worker.add_job('release-due-media', '{}', max_attempts => 1)`);
  const id = job?.id ?? "";
  await db.execute(sql`UPDATE graphile_worker._private_jobs SET attempts = 1, locked_by = 'killed', locked_at = now()
    WHERE id = ${id}`);
  const count = async () => (await db.execute(sql`SELECT FROM graphile_worker.jobs WHERE id = ${id}`)).length;
  expect(await count()).toBe(1);

  const worker = startWorker();
  try {
    await expect.poll(count, { timeout: 60_000 }).toBe(0);
  } finally {
    await worker.kill();
  }
}, 90_000);

test("while a change of a name waits, further ones do not start, and other jobs run", async () => {
  expect(parseCrontab(cronLine("change-names") ?? "")).toMatchObject([
    { task: "change-names", options: { queueName: "change-names", jobKey: "change-names" } },
  ]);
  await db.execute(sql`INSERT INTO name_changes (kind, action, subject_id, subject_name, actor, items)
    VALUES ('tag', 'rename', gen_random_uuid(), 'Dusk', 'owner@example.com', 0)`);
  for (let run = 0; run < 5; run += 1) await enqueue("change-names", {});
  const count = async (job: string) => {
    const [row] = await db.execute<{ waiting: number; running: number }>(sql`
      SELECT count(*)::int AS waiting, count(locked_at)::int AS running FROM graphile_worker.jobs
      WHERE task_identifier = ${job} AND key IS NULL`);
    return row;
  };
  let seen = () => {};
  const isSeen = new Promise<void>((resolve) => {
    seen = resolve;
  });
  const holding = db.transaction(async (tx) => {
    await tx.execute(sql`SELECT FROM name_changes FOR UPDATE`);
    await isSeen;
  });
  const worker = startWorker();
  try {
    await expect.poll(() => count("change-names"), { timeout: 60_000 }).toEqual({ waiting: 5, running: 1 });
    await enqueue("write-daily-totals", {});
    await expect.poll(() => count("write-daily-totals")).toEqual({ waiting: 0, running: 0 });
    expect(await count("change-names")).toEqual({ waiting: 5, running: 1 });
    seen();
    await holding;
    await expect.poll(() => count("change-names")).toEqual({ waiting: 0, running: 0 });
  } finally {
    seen();
    await worker.kill();
  }
}, 120_000);
