import { getPriority } from "node:os";
import { sql } from "drizzle-orm";
import { parseCrontab } from "graphile-worker";
import { expect, test } from "vitest";
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

test("a job whose only try was killed does not stay forever", async () => {
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

test("cron queues a job that runs alone in the queue of that job", () => {
  expect(parseCrontab(cronLine("take-in-uploads") ?? "")).toMatchObject([
    { task: "take-in-uploads", options: { queueName: "take-in-uploads", jobKey: "take-in-uploads" } },
  ]);
});
