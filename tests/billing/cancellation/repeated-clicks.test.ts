import { sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";

const PRESSES = 20;
/** Gives the remaining requests time to reach the same point. */
const GATHER_MS = 2_000;

const shop = await startPaidSite({ env: { WEB_PROCESSES: "1" } });
afterAll(() => shop.stop());

test("every concurrent click is answered, and other people do not wait for them", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const press = () =>
    shop.site.fetch("/user/account/subscription", {
      method: "POST",
      headers: { cookie: payer.cookie, origin: shop.site.origin },
      body: new URLSearchParams({ intent: "cancel" }),
    });
  const countWaiting = async () => {
    const [row] = await db.execute<{ count: number }>(sql`SELECT count(*)::int AS count FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`);
    return row?.count ?? PRESSES;
  };
  const [presses, waiting] = await db.transaction(async (tx) => {
    // Another process that writes about the same person holds this lock too.
    await tx.execute(sql`SELECT 1 FROM customers WHERE user_id = ${payer.id} FOR UPDATE`);
    const pressed = Array.from({ length: PRESSES }, press);
    await expect.poll(countWaiting, { timeout: 20_000 }).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, GATHER_MS));
    return [pressed, await countWaiting()] as const;
  });
  const answers = await Promise.all(presses);
  expect(answers.map(({ status }) => status)).toEqual(Array(PRESSES).fill(303));
  expect(waiting).toBe(1);
  expect((await shop.stripe.subscriptions.retrieve(id)).cancel_at_period_end).toBe(true);
}, 60_000);
