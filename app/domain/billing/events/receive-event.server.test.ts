import { sql } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { type NewEvent, storeEvent } from "./receive-event.server.ts";

const AT_ONCE = 50;

beforeEach(async () => {
  await db.delete(billingEvents);
  await db.execute(sql`DELETE FROM graphile_worker._private_jobs`);
});

const eventOf = (id: string, subject = "subscription"): NewEvent => ({
  id,
  provider: "stripe",
  type: "of.a.kind",
  subject,
  subjectId: `about_${id}`,
  customerId: null,
  createdAt: new Date(),
});

const listJobs = () =>
  db.execute<{ id: string; queue: string | null }>(sql`
    SELECT j.payload ->> 'eventId' AS id, q.queue_name AS queue FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id AND t.identifier = 'billing-event'
    LEFT JOIN graphile_worker._private_job_queues q ON q.id = j.job_queue_id ORDER BY j.id`);
const listStored = async () => (await db.select().from(billingEvents)).map(({ id }) => id).sort();

test("concurrent events each have a job of their own", async () => {
  const ids = Array.from({ length: AT_ONCE }, (_, index) => `evt_${index}`);
  const isNew = await Promise.all(
    ids.map((id, index) => storeEvent(eventOf(id, index === 0 ? "price" : undefined))),
  );
  expect(isNew).toEqual(ids.map(() => true));
  expect(await listStored()).toEqual(ids.toSorted());
  const jobs = await listJobs();
  expect(jobs.map(({ id }) => id).sort()).toEqual(ids.toSorted());
  expect(jobs.filter(({ queue }) => queue !== null)).toEqual([{ id: "evt_0", queue: "offer" }]);
});

test("when an event arrives twice, at once or later, one is new and has the only job", async () => {
  const event = eventOf("evt_twin");
  const isNew = await Promise.all([storeEvent(event), storeEvent(event), storeEvent(event)]);
  expect(isNew.toSorted()).toEqual([false, false, true]);
  expect(await storeEvent(event)).toBe(false);
  expect(await listJobs()).toEqual([{ id: "evt_twin", queue: null }]);
});

test("an event that cannot be stored does not fail those that arrived with it", async () => {
  const stored = ["evt_first", "evt_second", "evt_\u0000", "evt_fourth"].map((id) => storeEvent(eventOf(id)));
  const settled = await Promise.allSettled(stored);
  expect(settled.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected", "fulfilled"]);
  const rest = ["evt_first", "evt_fourth", "evt_second"];
  expect(await listStored()).toEqual(rest);
  expect((await listJobs()).map(({ id }) => id).sort()).toEqual(rest);
});

test("an event whose job cannot be added is not stored, so that it is sent again", async () => {
  await db.execute(
    sql`ALTER TABLE graphile_worker._private_jobs ADD CONSTRAINT full_up CHECK (false) NOT VALID`,
  );
  try {
    await expect(storeEvent(eventOf("evt_lost"))).rejects.toThrow();
  } finally {
    await db.execute(sql`ALTER TABLE graphile_worker._private_jobs DROP CONSTRAINT full_up`);
  }
  expect(await listStored()).toEqual([]);
  expect(await storeEvent(eventOf("evt_lost"))).toBe(true);
});
