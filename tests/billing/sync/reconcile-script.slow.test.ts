import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { runBillingScript } from "#tests/support/billing/run-script.ts";
import { digestTables } from "#tests/support/database/digest.ts";

const HOUR = 3_600;
const shop = await startPaidSite();
const { control, standIn, stripe } = shop;
afterAll(() => shop.stop());

const reconcile = (args: string[] = [], env: Record<string, string> = {}) =>
  runBillingScript("billing-reconcile", standIn, args, env);

const stateOf = async ({ id }: Payer) => {
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, id));
  return row && `${row.status}${row.cancelAtPeriodEnd && row.endedAt === null ? " until its end" : ""}`;
};

test("after three hours without events, one run writes everything as the provider has it", async () => {
  const payers: Payer[] = [];
  for (let count = 0; count < 8; count++) payers.push(await shop.createPayer());
  const [renewing, failing, cancellation, gone, refunded, disputed, late, deleted] = payers;
  if (!renewing || !failing || !cancellation || !gone || !refunded || !disputed || !late || !deleted) {
    throw new Error("Somebody is missing");
  }
  const ids = new Map<Payer, string>();
  for (const payer of payers.filter((one) => one !== late)) ids.set(payer, await shop.buy(payer));
  const idOf = (payer: Payer) => ids.get(payer) ?? "";
  await control.advance(30 * 24 * HOUR - 2 * HOUR);
  await shop.settled();

  control.webhooks({ mode: "drop" });
  control.failNextPayment(idOf(failing), 9);
  await stripe.subscriptions.update(idOf(cancellation), { cancel_at_period_end: true });
  await stripe.subscriptions.cancel(idOf(gone));
  await control.advance(3 * HOUR);
  control.refund(idOf(refunded));
  control.dispute(idOf(disputed));
  ids.set(late, await shop.buy(late));
  await stripe.customers.del(deleted.customerId);
  const price = await stripe.prices.create({
    product: shop.product.id,
    currency: "usd",
    unit_amount: 3_999,
    recurring: { interval: "month", interval_count: 3 },
  });
  const states = () => Promise.all(payers.map(stateOf));
  const before = [...Array(6).fill("active"), undefined, "active"];
  expect(await states()).toEqual(before);

  const tables = await digestTables();
  const dry = await reconcile(["--dry-run"]);
  expect(dry.lines).toContain(`new  price ${price.id}`);
  expect(dry.lines).toContain(`user ${gone.id}  changed  subscription ${idOf(gone)}`);
  expect(dry.lines).toContain(`user ${refunded.id}  due  subscription ${idOf(refunded)}`);
  expect(dry.lines.at(-1)).toMatch(/^8 compared, \d+ differences; nothing was written\.$/);
  expect(await digestTables()).toEqual(tables);
  expect((await stripe.subscriptions.retrieve(idOf(refunded))).status).toBe("active");

  const run = await reconcile();
  expect(run.code).toBe(0);
  const healed = ["active", "past_due", "canceled", "canceled", "canceled", "canceled", "active", "canceled"];
  expect(await states()).toEqual(healed);
  const printed = [...run.lines, run.stderr, ...dry.lines].join("\n");
  for (const { email } of payers) expect(printed).not.toContain(email);
  expect(printed).not.toMatch(/@|visa/i);

  const again = await reconcile();
  expect(again).toMatchObject({ code: 0, lines: ["7 compared, 0 differences."] });
  control.webhooks({});
}, 120_000);

test("a customer who cannot be reconciled does not stop the others, and is named by id", async () => {
  await db.delete(customers);
  const [first, second] = [await shop.createPayer(), await shop.createPayer()];
  control.webhooks({ mode: "drop" });
  await Promise.all([shop.buy(first), shop.buy(second)]);
  control.failNext({ status: 500, pathIncludes: first.customerId, times: 3 });
  const run = await reconcile();
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`user ${first.id}  not compared: Stripe answered with an error (500`);
  expect(run.lines.at(-1)).toBe(
    "1 compared, 3 differences; the site's data was updated. 1 could not be compared: run it again.",
  );
  expect(await Promise.all([first, second].map(stateOf))).toEqual([undefined, "active"]);
  expect((await reconcile()).code).toBe(0);
  expect(await stateOf(first)).toBe("active");
  control.webhooks({});
}, 60_000);
