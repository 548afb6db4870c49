import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { cleanUpEvents, readEventLag, readStuckEvents, retryStuckEvents } from "./retry-events.server.ts";

beforeEach(async () => {
  await db.delete(billingEvents);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
});

async function receive(id: string, ago: string, { isDone = false, subject = "subscription" } = {}) {
  await db.insert(billingEvents).values({
    id,
    provider: "stripe",
    type: "of.a.kind",
    subject,
    subjectId: `about_${id}`,
    createdAt: new Date(),
    receivedAt: sql`now() - ${ago}::interval`,
    processedAt: isDone ? sql`now()` : null,
  });
}

const listQueued = () =>
  db.execute<{ id: string; queue: string | null }>(sql`
    SELECT j.payload ->> 'eventId' AS id, q.queue_name AS queue FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = 'billing-event'
    LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id ORDER BY j.id`);

test("an unprocessed event is queued again after an hour, for three days, the oldest first", async () => {
  await receive("fresh", "59 minutes");
  await receive("open", "61 minutes");
  await receive("done", "2 hours", { isDone: true });
  await receive("older", "71 hours", { subject: "price" });
  await receive("given-up", "73 hours");
  await retryStuckEvents();
  expect([...(await listQueued())]).toEqual([
    { id: "older", queue: "offer" },
    { id: "open", queue: null },
  ]);
});

test("only events that will still be processed count as late", async () => {
  await receive("fresh", "1 minute");
  await receive("stuck", "2 hours");
  await receive("given-up", "73 hours");
  const lag = await readEventLag();
  expect([lag.open, Math.round(lag.oldestOpenSeconds / 60)]).toEqual([2, 120]);
  expect((await readStuckEvents()).amount).toBe(1);
});

test("an event is deleted after 90 days, processed or not", async () => {
  await receive("kept", "89 days 23 hours", { isDone: true });
  await receive("old", "90 days 1 hour", { isDone: true });
  await receive("old-and-open", "90 days 1 hour");
  await cleanUpEvents();
  expect((await db.select().from(billingEvents)).map(({ id }) => id)).toEqual(["kept"]);
});
