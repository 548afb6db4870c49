import type Stripe from "stripe";
import { expect, test } from "vitest";
import { fingerprintOf, paymentMethodOf, subscriptionSnapshot } from "./subscription-snapshot.ts";

test.each(["card", "us_bank_account", "sepa_debit", "bacs_debit", "acss_debit", "au_becs_debit"])(
  "a payment by %s is recognized again",
  (kind) => {
    const method = { type: kind, [kind]: { fingerprint: "same" } } as unknown as Stripe.PaymentMethod;
    expect(fingerprintOf(method)).toBe("same");
  },
);

test("a payment without a fingerprint matches nothing", () => {
  const wallet = { type: "link", link: { email: null } } as unknown as Stripe.PaymentMethod;
  const unread = { type: "card", card: { fingerprint: null } } as unknown as Stripe.PaymentMethod;
  expect([fingerprintOf(wallet), fingerprintOf(unread)]).toEqual([null, null]);
});

test("a payment method is named by its kind, with the numbers that it has", () => {
  const read = (method: object) => paymentMethodOf(method as Stripe.PaymentMethod);
  const card = { brand: "visa", last4: "4242", exp_month: 4, exp_year: 2030 };
  expect(read({ type: "card", card })).toEqual({
    brand: "visa",
    last4: "4242",
    expMonth: 4,
    expYear: 2030,
  });
  const without = { expMonth: null, expYear: null };
  for (const kind of ["us_bank_account", "sepa_debit", "bacs_debit", "acss_debit", "au_becs_debit"]) {
    const read6789 = { brand: kind, last4: "6789", ...without };
    expect(read({ type: kind, [kind]: { last4: "6789" } })).toEqual(read6789);
  }
  expect(read({ type: "paypal", paypal: {} })).toEqual({ brand: "paypal", last4: null, ...without });
});

const BARE = {
  id: "sub_1",
  status: "trialing",
  items: { data: [] },
  created: 1,
  start_date: 1,
  customer: { id: "cus_1", default_source: null, invoice_settings: { default_payment_method: null } },
  default_payment_method: null,
  default_source: null,
  collection_method: "charge_automatically",
  latest_invoice: null,
  metadata: {},
  pause_collection: null,
  trial_settings: { end_behavior: { missing_payment_method: "cancel" } },
};

const snapshotOf = (given: object) =>
  subscriptionSnapshot({ ...BARE, ...given } as unknown as Stripe.Subscription, {
    nextAmount: null,
    isPaymentPending: false,
  });

test.each(["void", "keep_as_draft", "mark_uncollectible"])(
  "paused collection is kept as %s, with its end",
  (behavior) => {
    const paused = { collectionPause: behavior, collectionResumesAt: null };
    expect(snapshotOf({ pause_collection: { behavior, resumes_at: null } })).toMatchObject(paused);
    const until = { ...paused, collectionResumesAt: new Date(1_800_000_000_000) };
    expect(snapshotOf({ pause_collection: { behavior, resumes_at: 1_800_000_000 } })).toMatchObject(until);
  },
);

test("a behavior that a newer version of the provider adds is a pause, too", () => {
  const { collectionPause } = snapshotOf({ pause_collection: { behavior: "postpone", resumes_at: null } });
  expect(collectionPause).toBe("keep_as_draft");
});

test.each<[string, object, string | null]>([
  ["ends without a card", {}, "cancel"],
  [
    "is paused without one",
    { trial_settings: { end_behavior: { missing_payment_method: "pause" } } },
    "pause",
  ],
  ["is billed", { trial_settings: { end_behavior: { missing_payment_method: "create_invoice" } } }, null],
  ["says nothing of it", { trial_settings: null }, null],
  ["has its own card", { default_payment_method: { id: "pm_1" } }, null],
  ["has an old source", { default_source: "card_1" }, null],
  [
    "has the customer's card",
    { customer: { ...BARE.customer, invoice_settings: { default_payment_method: { id: "pm_1" } } } },
    null,
  ],
  ["has the customer's old source", { customer: { ...BARE.customer, default_source: "card_1" } }, null],
  ["is paid by invoice", { collection_method: "send_invoice" }, null],
  ["is over", { status: "active" }, null],
])("a trial that %s has its own end", (_, given, expected) => {
  expect(snapshotOf(given)).toMatchObject({ trialEndWithoutCard: expected });
});

test("a subscription that is paid by hand is marked", () => {
  expect(snapshotOf({ collection_method: "send_invoice" }).isInvoiced).toBe(true);
  expect(snapshotOf({}).isInvoiced).toBe(false);
});

test("a subscription in another currency than its price's own has no known price", () => {
  const recurring = { interval: "month", interval_count: 1, usage_type: "licensed" };
  const price = { id: "price_1", product: "prod_1", currency: "usd", unit_amount: 1499, recurring };
  const items = { data: [{ price: { ...price, metadata: {}, transform_quantity: null } }] };
  expect(snapshotOf({ currency: "usd", items }).price).toMatchObject({ currency: "usd", unitAmount: 1499 });
  expect(snapshotOf({ currency: "eur", items }).price).toBeNull();
});
