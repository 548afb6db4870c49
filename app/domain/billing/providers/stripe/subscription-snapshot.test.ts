import type Stripe from "stripe";
import { expect, test } from "vitest";
import { fingerprintOf } from "./subscription-snapshot.ts";

test.each(["card", "us_bank_account", "sepa_debit", "bacs_debit", "acss_debit", "au_becs_debit"])(
  "a payment by %s is recognised again",
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
