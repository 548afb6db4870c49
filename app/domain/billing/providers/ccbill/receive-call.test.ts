import { expect, test } from "vitest";
import { ccbillSettings } from "#tests/support/billing/ccbill-settings.ts";
import type { ProviderCall, ReceivedCall } from "../contract/events.ts";
import { fact } from "../contract/facts.ts";
import { receiveCcbillCall } from "./receive-call.ts";

const settings = ccbillSettings();
const NOW = new Date("2026-07-03T12:00:00Z");
const ID = "0912191101000000159";
const ACCOUNT = { clientAccnum: "900100", clientSubacc: "0000" };
const COMMON = { ...ACCOUNT, subscriptionId: ID, timestamp: "2026-07-02 23:30:00" };
const CARD = {
  paymentType: "CREDIT",
  cardType: "VISA",
  last4: "4242",
  expDate: "1239",
  paymentAccount: "abc",
};
const SALE = {
  ...COMMON,
  ...CARD,
  transactionId: ID,
  firstName: "Ada",
  email: "ada@example.com",
  password: "clear text",
  ipAddress: "192.0.2.1",
  billedInitialPrice: "2.95",
  billedRecurringPrice: "19.95",
  billedCurrencyCode: "978",
  subscriptionInitialPrice: "2.95",
  subscriptionRecurringPrice: "19.95",
  subscriptionCurrencyCode: "978",
  accountingInitialPrice: "3.2",
  initialPeriod: "3",
  recurringPeriod: "30",
  rebills: "99",
  nextRenewalDate: "2026-07-05",
  "X-peony_checkout": "c-1",
};

type Values = Record<string, unknown>;
type Sent = Partial<ProviderCall> & { query?: Record<string, string> };

function receive(type: string, fields: Values, { query = {}, ...more }: Sent = {}): ReceivedCall {
  const named = { ...ACCOUNT, eventType: type, eventGroupType: "Subscription", ...query };
  const url = new URL(`http://localhost/webhook?${new URLSearchParams(named)}`);
  const body = JSON.stringify({ ...fields, eventType: type });
  const sent = { method: "POST", url, body, headers: new Headers(), at: NOW };
  return receiveCcbillCall({ ...sent, from: "64.38.212.7", token: settings.webhookToken, ...more }, settings);
}

function understood(received: ReceivedCall) {
  if ("refused" in received) throw new Error(`refused: ${received.refused}`);
  for (const { id: _, at: __, ...one } of received.facts) expect(fact.parse(one)).toEqual(one);
  return received;
}

const factsOf = (type: string, fields: Values = {}) =>
  understood(receive(type, { ...COMMON, ...fields })).facts.map(({ at: _, ...one }) => one);

test("a sale says what was sold, and nothing about the buyer is kept", () => {
  const { event, facts } = understood(receive("NewSaleSuccess", SALE));
  expect(event).toMatchObject({
    type: "NewSaleSuccess",
    createdAt: new Date("2026-07-03T06:30:00Z"),
    subject: { kind: "facts", id: `ccbill:${ID}` },
    isOtherSite: false,
    isUnknown: false,
  });
  const renewal = { amount: 1995, interval: "day", intervalCount: 30 };
  expect(facts).toEqual([
    {
      id: `ccbill:sale:${ID}`,
      at: new Date("2026-07-03T06:30:00Z"),
      kind: "sale",
      checkoutId: "c-1",
      subscriptionId: `ccbill:${ID}`,
      transactionId: `ccbill:${ID}`,
      paid: { amount: 295, currency: "eur" },
      terms: { currency: "eur", first: { amount: 295, interval: "day", intervalCount: 3 }, renewal },
      paidUntil: new Date("2026-07-05T23:59:59Z"),
      method: { brand: "visa", last4: "4242", expMonth: 12, expYear: 2039, fingerprint: "abc" },
    },
  ]);
  const kept = JSON.stringify({ event, facts });
  for (const own of ["Ada", "ada@example.com", "clear text", "192.0.2.1"]) expect(kept).not.toContain(own);
});

test("JSON, with text or numbers, and a form say the same, and the same event has the same id", () => {
  const json = understood(receive("NewSaleSuccess", SALE));
  const form = receive("NewSaleSuccess", {}, { body: new URLSearchParams(SALE).toString() });
  expect(understood(form)).toEqual(json);
  const { "X-peony_checkout": checkout, ...rest } = SALE;
  const passed = { ...rest, passThrough: { peony_checkout: checkout } };
  expect(understood(receive("NewSaleSuccess", passed))).toEqual(json);
  // A number of 18 digits would lose its last ones.
  const big = "912191101000000159";
  const named = { ...SALE, subscriptionId: big, transactionId: big, billedInitialPrice: "18.0" };
  const body = JSON.stringify(named).replaceAll(`"${big}"`, big).replace('"18.0"', "18.0");
  const [sale] = understood(receive("NewSaleSuccess", {}, { body })).facts;
  expect(sale).toMatchObject({ subscriptionId: `ccbill:${big}`, paid: { amount: 1800, currency: "eur" } });
  const other = understood(receive("NewSaleSuccess", { ...SALE, timestamp: "2026-07-02 23:30:01" }));
  expect(other.event.id).not.toBe(json.event.id);
});

test("a sale that ends after some renewals has other terms than any of ours", () => {
  const [sale] = understood(receive("NewSaleSuccess", { ...SALE, rebills: "3" })).facts;
  expect(sale).toMatchObject({ terms: { renewal: null } });
});

test("each kind of event has its facts", () => {
  const subscriptionId = `ccbill:${ID}`;
  const transactionId = "ccbill:17";
  const bill = { transactionId: "17", billedAmount: "19.95", billedCurrencyCode: "978" };
  expect(factsOf("RenewalSuccess", { ...bill, nextRenewalDate: "2026-08-04" })).toEqual([
    {
      id: "ccbill:renewal:17",
      kind: "renewal",
      subscriptionId,
      transactionId,
      paid: { amount: 1995, currency: "eur" },
      paidUntil: new Date("2026-08-04T23:59:59Z"),
      method: null,
    },
  ]);
  const failed = { transactionId: "17", nextRetryDate: "2026-07-07", failureCode: "BE-900" };
  expect(factsOf("RenewalFailure", failed)).toMatchObject([
    { kind: "renewalFailed", transactionId, retryAt: new Date("2026-07-07T23:59:59Z"), code: "BE-900" },
  ]);
  expect(factsOf("RenewalFailure", { ...failed, nextRetryDate: "" })).toMatchObject([{ retryAt: null }]);
  expect(factsOf("Cancellation", { source: "webAdmin" })).toMatchObject([
    { kind: "canceled", subscriptionId, ends: "paidUntil", by: "webAdmin" },
  ]);
  expect(factsOf("Cancellation", { source: "failedRB" })).toMatchObject([{ ends: "now" }]);
  const expired = { id: `ccbill:expired:${ID}:2026-07-02`, kind: "expired", subscriptionId };
  expect(factsOf("Expiration")).toEqual([expired]);
  const moved = { kind: "moved", subscriptionId, paidUntil: new Date("2026-08-09T23:59:59Z") };
  expect(factsOf("BillingDateChange", { nextRenewalDate: "2026-08-09" })).toMatchObject([moved]);
  expect(factsOf("CustomerDataUpdate", CARD)).toMatchObject([{ kind: "method", method: { last4: "4242" } }]);
  expect(factsOf("CustomerDataUpdate", { city: "Paris" })).toEqual([]);
  const again = { transactionId: "18", timestamp: undefined, nextRenewalDate: "2026-08-09" };
  expect(factsOf("UserReactivation", again)).toMatchObject([{ kind: "kept", subscriptionId }, moved]);
  for (const [type, how] of [
    ["Refund", "refund"],
    ["Void", "void"],
    ["Chargeback", "chargeback"],
    ["Return", "bankReturn"],
  ] as const) {
    expect(factsOf(type, { transactionId: "17", amount: "5", currencyCode: "840" })).toEqual([
      {
        id: `ccbill:returned:${ID}:${how}:2026-07-02:500`,
        kind: "returned",
        subscriptionId,
        transactionId,
        amount: { amount: 500, currency: "usd" },
        how,
      },
    ]);
  }
  const original = { ...SALE, originalSubscriptionId: "15" };
  expect(factsOf("UpgradeSuccess", original)).toMatchObject([
    { kind: "sale" },
    { kind: "canceled", subscriptionId: "ccbill:15" },
  ]);
  for (const type of ["UpSaleSuccess", "CrossSaleSuccess"]) {
    expect(factsOf(type, SALE)).toMatchObject([{ kind: "sale" }]);
  }
  for (const type of ["NewSaleFailure", "UpSaleFailure", "CrossSaleFailure", "UpgradeFailure"]) {
    const { subscriptionId: _, ...denied } = { ...SALE, failureCode: "BE-140" };
    expect(factsOf(type, { ...denied, subscriptionId: undefined })).toMatchObject([
      { kind: "saleFailed", checkoutId: "c-1", code: "BE-140" },
    ]);
  }
});

test("a call from elsewhere, without the token, for another account or in contradiction is refused", () => {
  const refusal = (more: Sent, fields: Values = SALE) => {
    const received = receive("NewSaleSuccess", fields, more);
    return "refused" in received ? received.refused : null;
  };
  expect(refusal({})).toBeNull();
  expect(refusal({ from: "::ffff:64.38.212.254" })).toBeNull();
  for (const from of ["64.38.213.1", "127.0.0.2", "::1", ""]) expect(refusal({ from })).toBe("address");
  for (const token of [null, "", `${settings.webhookToken}x`, "t".repeat(31)])
    expect(refusal({ token })).toBe("token");
  expect(refusal({ query: { clientAccnum: "900101" } }, { ...SALE, clientAccnum: "900101" })).toBe("account");
  expect(refusal({ query: { clientAccnum: "900101" } })).toBe("form");
  expect(refusal({ query: { eventType: "Refund" } })).toBe("form");
  for (const body of [
    "{",
    "{}}",
    '{"a":[1]}',
    "eventType=NewSaleSuccess&eventType=Refund",
    "eventType=Refund",
  ])
    expect([body, refusal({ body })]).toEqual([body, "form"]);
});

test("another subaccount is another site, and what cannot be read is kept without facts", () => {
  const other = { clientSubacc: "0001" };
  const { event, facts } = understood(receive("NewSaleSuccess", { ...SALE, ...other }, { query: other }));
  expect([event.isOtherSite, facts]).toEqual([true, []]);
  for (const [type, fields] of [
    ["SubscriptionPaused", COMMON],
    ["constructor", COMMON],
    ["RenewalSuccess", COMMON],
    ["NewSaleSuccess", { ...SALE, billedCurrencyCode: "392" }],
    ["NewSaleSuccess", { ...SALE, nextRenewalDate: "soon" }],
  ] as const) {
    const { event, facts } = understood(receive(type, fields));
    expect([type, event.isUnknown, event.subject, facts]).toEqual([type, true, null, []]);
  }
});
