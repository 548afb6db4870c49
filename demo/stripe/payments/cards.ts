import { createHash } from "node:crypto";
import type Stripe from "stripe";
import type { Account } from "../state/account.ts";
import { declined, type Fault } from "../state/fault.ts";
import { newId } from "../state/ids.ts";

/** Stripe's own test cards, by their last four digits. */
export const CARDS = [
  { last4: "4242", brand: "visa", title: "works", testIds: ["pm_card_visa"] },
  {
    last4: "0002",
    brand: "visa",
    title: "is declined",
    testIds: ["pm_card_chargeDeclined", "pm_card_visa_chargeDeclined"],
  },
  {
    last4: "0341",
    brand: "visa",
    title: "works now, fails at the renewal",
    testIds: ["pm_card_chargeCustomerFail"],
  },
  {
    last4: "3184",
    brand: "visa",
    title: "asks for authentication",
    testIds: ["pm_card_authenticationRequired", "pm_card_threeDSecure2Required"],
  },
] as const;

export type Last4 = (typeof CARDS)[number]["last4"];

export function isLast4(text: string): text is Last4 {
  return CARDS.some(({ last4 }) => last4 === text);
}

/** The reason a charge fails, or null. isPresent means that the customer can confirm it. */
export function refusal(last4: string, { isPresent }: { isPresent: boolean }): Fault | null {
  if (last4 === "0002" || (last4 === "0341" && !isPresent)) return declinedCard();
  if (last4 === "3184" && !isPresent) {
    return declined({
      code: "authentication_required",
      declineCode: "authentication_required",
      message: "Your card was declined. This transaction requires authentication.",
    });
  }
  return null;
}

export function declinedCard(): Fault {
  return declined({
    code: "card_declined",
    declineCode: "generic_decline",
    message: "Your card was declined.",
  });
}

export function makeCard(account: Account, last4: Last4, email: string | null): Stripe.PaymentMethod {
  const brand = "visa";
  const method: Stripe.PaymentMethod = {
    id: newId("pm"),
    object: "payment_method",
    allow_redisplay: "limited",
    billing_details: { address: null, email, name: null, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
      country: "US",
      display_brand: brand,
      exp_month: 12,
      exp_year: new Date(account.now() * 1000).getUTCFullYear() + 4,
      fingerprint: fingerprintOf(account, last4, email),
      funding: "credit",
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: account.now(),
    customer: null,
    customer_account: null,
    livemode: false,
    metadata: {},
    type: "card",
  };
  account.state.paymentMethods[method.id] = method;
  return method;
}

/** Many people try the same few test cards here, and one person's card must not count as another's. */
export function fingerprintOf({ hasSharedCards }: Account, number: string, email: string | null): string {
  const owner = hasSharedCards ? "" : (email ?? "");
  return createHash("sha256").update(`${number} ${owner}`).digest("base64url").slice(0, 16);
}

export function attachCard(account: Account, method: Stripe.PaymentMethod, customerId: string): void {
  if (method.customer === customerId) return;
  method.customer = customerId;
  account.record("payment_method.attached", method);
}
