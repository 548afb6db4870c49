import { type Fact, ourId, type ToldFact } from "../contract/facts.ts";
import { arizonaDay, daysLater, endOfNamedDay, parseArizonaTime } from "./arizona-time.ts";
import type { Fields } from "./call-fields.ts";
import { currencyOf, type Money, parseAmount } from "./money.ts";
import { CHECKOUT, ENDLESS } from "./payment-link.ts";
import { CCBILL } from "./settings.ts";

type FactOf<Kind extends Fact["kind"]> = Extract<Fact, { kind: Kind }>;
type Returned = FactOf<"returned">["how"];

/** A known kind that lacks what it always had. */
class Unreadable extends Error {}

/** CCBill charges no more after this reason, and nothing is paid. */
const LAST_ATTEMPT_FAILED = "failedRB";

type Reader = (fields: Fields, at: Date) => ToldFact[];

/** Every kind of CCBill's list "Webhooks", as of 2026-05. */
const READERS: Record<string, Reader> = {
  NewSaleSuccess: readSale,
  NewSaleFailure: readFailedSale,
  UpSaleSuccess: readSale,
  UpSaleFailure: readFailedSale,
  CrossSaleSuccess: readSale,
  CrossSaleFailure: readFailedSale,
  // An upgrade is a new subscription, which replaces another.
  UpgradeSuccess: (fields, at) => {
    const replaced = ourId(CCBILL, digits(fields, "originalSubscriptionId"));
    const canceled = {
      kind: "canceled",
      subscriptionId: replaced,
      ends: "paidUntil",
      by: "upgrade",
    } as const;
    return [...readSale(fields, at), told(canceled, at, [replaced, at.toISOString()])];
  },
  UpgradeFailure: readFailedSale,
  RenewalSuccess: (fields, at) => {
    const subscriptionId = subscriptionOf(fields);
    const transactionId = transactionOf(fields);
    const paid = money(fields, "billedAmount", "billedCurrencyCode");
    const paidUntil = dayOf(fields, "nextRenewalDate");
    return [renewal({ subscriptionId, transactionId, paid, paidUntil, method: methodOf(fields) }, at)];
  },
  RenewalFailure: (fields, at) => {
    const transactionId = transactionOf(fields);
    const retryAt = fields.get("nextRetryDate") ? dayOf(fields, "nextRetryDate") : null;
    const code = fields.get("failureCode") ?? "";
    const subscriptionId = subscriptionOf(fields);
    return [
      told({ kind: "renewalFailed", subscriptionId, transactionId, retryAt, code }, at, [transactionId]),
    ];
  },
  Cancellation: (fields, at) => {
    const subscriptionId = subscriptionOf(fields);
    const by = fields.get("source") || null;
    const ends = by === LAST_ATTEMPT_FAILED ? "now" : "paidUntil";
    return [told({ kind: "canceled", subscriptionId, ends, by }, at, [subscriptionId, at.toISOString()])];
  },
  Expiration: (fields, at) => [expired(subscriptionOf(fields), at)],
  BillingDateChange: readMove,
  CustomerDataUpdate: (fields, at) => {
    const subscriptionId = subscriptionOf(fields);
    const method = methodOf(fields);
    if (method === null) return [];
    return [told({ kind: "method", subscriptionId, method }, at, [subscriptionId, at.toISOString()])];
  },
  UserReactivation: (fields, at) => {
    const subscriptionId = subscriptionOf(fields);
    // No time is documented for it, so that its transaction is what makes it one.
    const id = [subscriptionId, fields.get("transactionId") || at.toISOString()];
    const moved = fields.get("nextRenewalDate") ? readMove(fields, at) : [];
    return [told({ kind: "kept", subscriptionId }, at, id), ...moved];
  },
  Refund: readReturn("refund"),
  Void: readReturn("void"),
  Chargeback: readReturn("chargeback"),
  Return: readReturn("bankReturn"),
};

/** Null for a kind that is not known here, or that lacks a field that it always had. */
export function factsOf(type: string, fields: Fields, at: Date): ToldFact[] | null {
  try {
    return Object.hasOwn(READERS, type) ? (READERS[type]?.(fields, at) ?? null) : null;
  } catch (error) {
    if (error instanceof Unreadable) return null;
    throw error;
  }
}

/** The extract tells these, too, so that their ids consist of what both know. */
export function renewal(fact: Omit<FactOf<"renewal">, "kind">, at: Date): ToldFact {
  return told({ kind: "renewal", ...fact }, at, [fact.transactionId]);
}

export function expired(subscriptionId: string, at: Date): ToldFact {
  return told({ kind: "expired", subscriptionId }, at, [subscriptionId, arizonaDay(at)]);
}

/** The extract names no transaction. A second return of the same amount on the same day counts as the first one. */
export function returned(fact: Omit<FactOf<"returned">, "kind">, at: Date): ToldFact {
  const { subscriptionId, how, amount } = fact;
  const id = [subscriptionId, how, arizonaDay(at), String(amount.amount)];
  return told({ kind: "returned", ...fact }, at, id);
}

export function saleFactId(subscriptionId: string): string {
  return factId("sale", [subscriptionId]);
}

function readSale(fields: Fields, at: Date): ToldFact[] {
  const subscriptionId = subscriptionOf(fields);
  const transactionId = transactionOf(fields);
  const terms = termsOf(fields);
  const paid = money(fields, "billedInitialPrice", "billedCurrencyCode");
  const paidUntil = fields.get("nextRenewalDate")
    ? dayOf(fields, "nextRenewalDate")
    : endOfNamedDay(daysLater(at, terms.first.intervalCount));
  const checkoutId = fields.get(`X-${CHECKOUT}`) || null;
  const method = methodOf(fields);
  const sale = {
    kind: "sale",
    checkoutId,
    subscriptionId,
    transactionId,
    paid,
    terms,
    paidUntil,
    method,
  } as const;
  return [{ ...sale, id: saleFactId(subscriptionId), at }];
}

function readFailedSale(fields: Fields, at: Date): ToldFact[] {
  const checkoutId = fields.get(`X-${CHECKOUT}`) || null;
  const code = fields.get("failureCode") ?? "";
  return [told({ kind: "saleFailed", checkoutId, code }, at, [transactionOf(fields)])];
}

function readMove(fields: Fields, at: Date): ToldFact[] {
  const subscriptionId = subscriptionOf(fields);
  const paidUntil = dayOf(fields, "nextRenewalDate");
  return [told({ kind: "moved", subscriptionId, paidUntil }, at, [subscriptionId, paidUntil.toISOString()])];
}

function readReturn(how: Returned): Reader {
  return (fields, at) => {
    const subscriptionId = subscriptionOf(fields);
    const transactionId = transactionOf(fields);
    return [
      returned({ subscriptionId, transactionId, amount: money(fields, "amount", "currencyCode"), how }, at),
    ];
  };
}

/** In the currency of the link. A sale that ends after some renewals was not made by a link of ours. */
function termsOf(fields: Fields): FactOf<"sale">["terms"] {
  const prefix = fields.has("subscriptionInitialPrice") ? "subscription" : "billed";
  const first = money(fields, `${prefix}InitialPrice`, `${prefix}CurrencyCode`);
  const days = (name: string) => Number(digits(fields, name));
  const interval = "day" as const;
  const isEndless = fields.get("rebills") === ENDLESS && days("recurringPeriod") > 0;
  return {
    currency: first.currency,
    first: { amount: first.amount, interval, intervalCount: days("initialPeriod") },
    renewal: isEndless
      ? {
          amount: money(fields, `${prefix}RecurringPrice`, `${prefix}CurrencyCode`).amount,
          interval,
          intervalCount: days("recurringPeriod"),
        }
      : null,
  };
}

function methodOf(fields: Fields): FactOf<"method">["method"] | null {
  const brand = fields.get("cardType") || fields.get("paymentType");
  if (!brand) return null;
  const [, month, year] = /^(\d\d)(\d\d)$/.exec(fields.get("expDate") ?? "") ?? [];
  return {
    brand: brand.toLowerCase(),
    last4: fields.get("last4") || null,
    expMonth: month === undefined ? null : Number(month),
    expYear: year === undefined ? null : 2_000 + Number(year),
    fingerprint: fields.get("paymentAccount") || null,
  };
}

function subscriptionOf(fields: Fields): string {
  return ourId(CCBILL, digits(fields, "subscriptionId"));
}

function transactionOf(fields: Fields): string {
  return ourId(CCBILL, digits(fields, "transactionId"));
}

function digits(fields: Fields, name: string): string {
  const text = fields.get(name) ?? "";
  if (!/^\d{1,20}$/.test(text)) throw new Unreadable(name);
  return text;
}

function money(fields: Fields, amountName: string, codeName: string): Money {
  const amount = parseAmount(fields.get(amountName) ?? "");
  const currency = currencyOf(fields.get(codeName) ?? "");
  if (amount === null || currency === null) throw new Unreadable(amountName);
  return { amount, currency };
}

function dayOf(fields: Fields, name: string): Date {
  const day = parseArizonaTime(fields.get(name) ?? "");
  if (day === null) throw new Unreadable(name);
  return endOfNamedDay(day);
}

function told(fact: Fact, at: Date, parts: string[]): ToldFact {
  return { ...fact, id: factId(fact.kind, parts), at };
}

function factId(kind: Fact["kind"], parts: string[]): string {
  return ourId(CCBILL, [kind, ...parts.map((part) => part.replace(`${CCBILL}:`, ""))].join(":"));
}
