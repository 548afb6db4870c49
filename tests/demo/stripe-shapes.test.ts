import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { startShop, submit } from "../support/billing/stand-in-site.ts";
import { type Json, objectsIn, shapeDifferences } from "./fixtures/same-shape.ts";

const DAY = 86_400;

/** Stripe's own example of every object that the stand-in has: MIT, the licence is beside it. */
const file = new URL("fixtures/stripe-objects.json", import.meta.url);
const examples: Record<string, Json> = JSON.parse(readFileSync(file, "utf8"));

// The object of an event has its own type and is checked as such.
examples.event = { ...asRecord(examples.event), data: { object: {} } };

const NEVER: Record<string, string> = {
  "invoice.subscription":
    "is below parent since the version of 2025-03-31; the example has the key with nothing in it",
  "payment_intent.transfer_data": "is about accounts that sell for others",
};
/** Keys that some of the stand-in's objects lack. */
const SOMETIMES: Record<string, string> = {
  "invoice.id": "is missing from the invoice that invoice.upcoming announces, at Stripe's as well",
  "charge.refunds": "is there when it is asked for, since the version of 2022-11-15",
  "charge.payment_method_details.card": "is about cards; others are paid by bank",
  "payment_method.card": "is about cards",
};

const shop = await startShop();
afterAll(() => shop.standIn.stop());
const shown = new Map<string, Json[]>();
for (const [kind, object] of objectsIn(await live())) shown.set(kind, [...(shown.get(kind) ?? []), object]);

/** One of every object, in as many states as possible, as sent over the wire. */
async function live(): Promise<Json> {
  const { stripe, standIn, customer, buy, subscribe, yearly } = shop;
  const { control } = standIn;
  const answers: unknown[] = [];
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: "forever" });
  await stripe.promotionCodes.create({ code: "TWENTY", promotion: { type: "coupon", coupon: coupon.id } });
  answers.push(await buy({ allow_promotion_codes: true, customer: undefined }));
  const taxed = await subscribe("4242", {
    automatic_tax: { enabled: true },
    discounts: [{ coupon: coupon.id }],
    metadata: { site: "peony" },
  });
  const trial = await subscribe("4242", { subscription_data: { trial_period_days: 7 } });
  const bank = await buy();
  await submit(bank.url, { card: "bank" });
  const [item] = taxed.items.data;
  await stripe.subscriptions.update(taxed.id, { items: [{ id: item?.id, price: yearly.id }] });
  await stripe.subscriptions.update(trial.id, { pause_collection: { behavior: "void" } });
  answers.push(await stripe.subscriptionSchedules.create({ from_subscription: trial.id }));
  answers.push(await stripe.invoices.createPreview({ subscription: taxed.id }));
  control.failNextPayment(taxed.id);
  await control.advance(40 * DAY);
  answers.push(await stripe.subscriptions.list({ status: "all", limit: 100 }));
  control.dispute(taxed.id);
  control.refund(taxed.id);
  await stripe.subscriptions.update(taxed.id, { cancel_at_period_end: true });
  await stripe.subscriptions.cancel(taxed.id, { cancellation_details: { comment: "Enough" } });
  const of = { customer: customer.id, limit: 100 };
  answers.push(
    await stripe.subscriptions.list({ status: "all", limit: 100, expand: ["data.discounts"] }),
    await stripe.invoices.list({ ...of, expand: ["data.payments"] }),
    await stripe.checkout.sessions.list({ limit: 100 }),
    await stripe.customers.list(),
    await stripe.prices.list(),
    await stripe.products.list(),
    await stripe.charges.list({ ...of, expand: ["data.refunds", "data.payment_intent"] }),
    await stripe.refunds.list(),
    await stripe.disputes.list(),
    await stripe.customers.listPaymentMethods(customer.id),
    await stripe.coupons.list(),
    await stripe.promotionCodes.list(),
    await stripe.billingPortal.configurations.create({
      features: { payment_method_update: { enabled: true }, invoice_history: { enabled: true } },
    }),
    await stripe.billingPortal.sessions.create({ customer: customer.id }),
    await stripe.customers.del(customer.id),
    await stripe.events.list({ limit: 100 }),
  );
  return JSON.parse(JSON.stringify(answers));
}

describe("the stand-in's objects are shaped like Stripe's own", () => {
  test.each(Object.keys(examples))("%s", (kind) => {
    const [name = "", isDeleted] = kind.startsWith("deleted_")
      ? [kind.slice("deleted_".length), true]
      : [kind];
    const found = (shown.get(name) ?? []).filter((each) => isDeleted === isOfDeleted(each));
    expect(found.length).toBeGreaterThan(0);
    const differences = found.map((each) => shapeDifferences(each, examples[kind] ?? null, kind));
    const isLeft = (key: string) => differences.every((lines) => lines.includes(`${key} is missing`));
    const left = Object.keys(NEVER).filter((key) => key.startsWith(`${kind}.`));
    expect(left.filter((key) => !isLeft(key))).toEqual([]);
    const rare = Object.keys(SOMETIMES).filter((key) => key.startsWith(`${kind}.`));
    expect(rare.filter(isLeft)).toEqual([]);
    const allowed = [...left, ...rare].map((key) => `${key} is missing`);
    expect([...new Set(differences.flat())].filter((line) => !allowed.includes(line))).toEqual([]);
  });
});

function asRecord(json: Json | undefined): Record<string, Json> {
  if (json === null || typeof json !== "object" || Array.isArray(json)) throw new Error("No example");
  return json;
}

function isOfDeleted(json: Json): true | undefined {
  return json !== null && typeof json === "object" && "deleted" in json ? true : undefined;
}
