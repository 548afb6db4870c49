import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { config } from "#app/config.server.ts";
import { recordRequest } from "#app/domain/billing/cancellation/cancellation-requests.server.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { customers } from "#db/schema/customers.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { openShop } from "#tests/support/billing/shop.ts";
import { startWorker } from "#tests/support/billing/worker-process.ts";
import { createMember, subscribe } from "#tests/support/people.ts";

const EVENTS = 12;
const MAILS = 5;
/** The number of concurrent jobs that call the provider. */
const HANDS = 3;

const shop = await openShop();
afterAll(() => shop.close());

test("a hanging provider blocks only some of the worker's jobs, and emails are still sent", async () => {
  if (config.billing.stripe) config.billing.stripe.webhookSecrets = ["whsec_of_the_test"];
  shop.standIn.control.failNext({ hangMs: 120_000, times: 10_000 });
  await callEachKind();
  for (let number = 0; number < EVENTS; number += 1) {
    const event = { id: `evt_${number}`, subject: "subscription" };
    const row = {
      ...event,
      provider: "stripe",
      type: "customer.subscription.updated",
      subjectId: `sub_${number}`,
    };
    await db.insert(billingEvents).values({ ...row, createdAt: new Date() });
    await enqueue("billing-event", { eventId: event.id });
  }
  const worker = startWorker();
  try {
    await expect.poll(countTaken, { timeout: 60_000 }).toBeGreaterThanOrEqual(HANDS);
    const writtenAt = Date.now();
    for (let number = 0; number < MAILS; number += 1) {
      const mail = {
        kind: "test",
        to: "ada@example.com",
        subject: `Mail ${number}`,
        html: "",
        text: "Hello",
      };
      await enqueueMail(mail, db);
    }
    const waiting = () => db.$count(mailOutbox, sql`${mailOutbox.sentAt} IS NULL`);
    await expect.poll(waiting, { timeout: 20_000, interval: 50 }).toBe(0);
    // Each call to the provider takes longer than all the emails together.
    expect(Date.now() - writtenAt).toBeLessThan(8_000);
    // A job in the emails' runner would be counted in addition.
    expect(await countTaken()).toBe(HANDS);
    expect(await db.$count(billingEvents, sql`${billingEvents.processedAt} IS NOT NULL`)).toBe(0);
  } finally {
    await worker.kill();
  }
}, 120_000);

/** One job of every other type that calls the provider. */
async function callEachKind(): Promise<void> {
  const { id: userId } = await createMember();
  const customer = { userId, provider: "stripe", providerCustomerId: "cus_ada" };
  await db.insert(customers).values(customer);
  const id = await subscribe(userId);
  await db.update(subscriptions).set({ provider: "stripe" }).where(eq(subscriptions.id, id));
  await enqueue("end-withdrawn", { id, userId });
  await recordRequest({ id, userId }, "cancel");
  await enqueue("send-cancellation-request", { id, userId });
  await enqueue("refresh-billing", { userId });
  await enqueue("forget-customer", { provider: "stripe", customerId: "cus_eve" });
  await enqueue("reconcile-billing", {});
}

async function countTaken(): Promise<number> {
  const [row] = await db.execute<{
    count: number;
  }>(sql`SELECT count(*)::int AS count FROM graphile_worker.jobs
    WHERE locked_by IS NOT NULL AND task_identifier IN
      ('billing-event', 'end-withdrawn', 'send-cancellation-request', 'refresh-billing', 'forget-customer', 'reconcile-billing')`);
  return row?.count ?? 0;
}
