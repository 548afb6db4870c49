import { eq } from "drizzle-orm";
import Stripe from "stripe";
import { afterAll, expect, test } from "vitest";
import { STRIPE_EVENTS } from "#app/domain/billing/providers/stripe/parse-event.server.ts";
import { db } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import {
  billingEvents,
  billingMails,
  checkouts,
  customers,
  invoices,
  prices,
  products,
  subscriptions,
  trials,
} from "#db/schema/billing.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { runJobs } from "#tests/support/billing/run-jobs.ts";
import { WEBHOOK_SECRET } from "#tests/support/billing/stand-in-site.ts";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const payer = await shop.createPayer();
const subscriptionId = await shop.buy(payer);
const disputed = control.dispute(await shop.buy(await shop.createPayer()));
await shop.settled();

/** A real object for each prefix of event types; the first match applies. */
const OBJECTS: [begins: string, id: () => Promise<string | undefined>][] = [
  ["product.", async () => shop.product.id],
  ["price.", async () => shop.monthly.id],
  ["checkout.", async () => (await ofPayer(stripe.checkout.sessions))?.id],
  ["customer.subscription.", async () => subscriptionId],
  ["customer.", async () => payer.customerId],
  ["invoice.", async () => (await ofPayer(stripe.invoices))?.id],
  ["charge.dispute.", async () => disputed.id],
  ["charge.", async () => (await ofPayer(stripe.charges))?.id],
  ["payment_method.", async () => (await ofPayer(stripe.paymentMethods))?.id],
];

async function ofPayer<Item>(list: {
  list(params: { customer: string }): PromiseLike<{ data: Item[] }>;
}): Promise<Item | undefined> {
  return (await list.list({ customer: payer.customerId })).data[0];
}

/** Holds events back and returns the last. */
async function emit(type: string): Promise<Stripe.Event | undefined> {
  control.webhooks({ mode: "hold" });
  if (type === "payment_method.detached") {
    // Only the previous attributes contain the former customer.
    const card = await stripe.paymentMethods.attach("pm_card_visa", { customer: payer.customerId });
    await stripe.paymentMethods.detach(card.id);
  } else {
    const id = await OBJECTS.find(([begins]) => type.startsWith(begins))?.[1]();
    control.emit(type as Stripe.Event.Type, id ?? "");
  }
  return control.heldBack().at(-1);
}

test.each(STRIPE_EVENTS)("after %s the site fetches, and writes only what is true", async (type) => {
  const before = await everything();
  const event = await emit(type);
  expect(event?.type).toBe(type);
  const body = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: WEBHOOK_SECRET });
  const answer = await fetch(shop.webhook, {
    method: "POST",
    body,
    headers: { "stripe-signature": signature },
  });
  expect(answer.status).toBe(200);
  await runJobs();
  const rows = await db
    .select()
    .from(billingEvents)
    .where(eq(billingEvents.id, event?.id ?? ""));
  expect(rows).toMatchObject([{ type, processedAt: expect.any(Date), outcome: "same" }]);
  expect(await everything()).toEqual(before);
});

/** All data that an event could change, without the time of the call. */
async function everything() {
  const withoutTime = <Row extends object>(rows: Row[]) =>
    rows.map((row) => JSON.stringify({ ...row, fetchedAt: null, reconciledAt: null })).sort();
  return {
    products: withoutTime(await db.select().from(products)),
    prices: withoutTime(await db.select().from(prices)),
    customers: withoutTime(await db.select().from(customers)),
    people: withoutTime(await db.select().from(users)),
    checkouts: withoutTime(await db.select().from(checkouts)),
    trials: withoutTime(await db.select().from(trials)),
    subscriptions: withoutTime(await db.select().from(subscriptions)),
    invoices: withoutTime(await db.select().from(invoices)),
    claimed: withoutTime(await db.select().from(billingMails)),
    mails: (await db.select().from(mailOutbox)).length,
    atTheProvider: [
      (await stripe.subscriptions.retrieve(subscriptionId)).status,
      (await stripe.charges.list({ customer: payer.customerId })).data.map(
        (charge) => charge.amount_refunded,
      ),
    ],
  };
}
