import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dateOf, digitsOf, parseDigits, timestampOf } from "#demo/ccbill/arizona-time.ts";
import { formDigest, responseDigest } from "#demo/ccbill/digests.ts";
import type { CcbillSettings } from "#demo/ccbill/settings.ts";
import { type CcbillStandIn, startCcbillStandIn } from "#demo/ccbill/stand-in.ts";
import { submit } from "../support/billing/stand-in-site.ts";
import { startReceiver } from "../support/billing/webhook-receiver.ts";

const DAY = 86_400;
const SALT = "7d901dad245fd0ff6bc20d06";
const CHECKOUT = "c0ffee00-0000-4000-8000-000000000001";
const SETTINGS: CcbillSettings = {
  clientAccnum: "900100",
  clientSubacc: "0000",
  flexId: "d7d6d9a5-0000-4000-8000-000000000001",
  salt: SALT,
  dataLinkUser: "peony",
  dataLinkPassword: "secret",
  approvalUrl: "http://localhost/subscribe/return?checkout=%%peony_checkout%%",
  denialUrl: "http://localhost/subscribe?refused=%%peony_checkout%%",
};
const MONTHLY = {
  initialPrice: "9.99",
  initialPeriod: "30",
  recurringPrice: "9.99",
  recurringPeriod: "30",
  numRebills: "99",
  currencyCode: "840",
};

let site: Awaited<ReturnType<typeof startReceiver>>;
let standIn: CcbillStandIn;

beforeEach(async () => {
  site = await startReceiver();
  standIn = await startCcbillStandIn({ settings: SETTINGS, webhookUrl: site.url });
});

afterEach(async () => {
  await standIn.stop();
  await site.stop();
});

function linkTo(price: Record<string, string> = MONTHLY, more: Record<string, string> = {}): string {
  const { clientAccnum, clientSubacc, flexId } = SETTINGS;
  const link = new URLSearchParams({ clientAccnum, clientSubacc, ...price });
  link.set("formDigest", formDigest(link, SALT));
  for (const [name, value] of Object.entries({ peony_checkout: CHECKOUT, ...more })) link.set(name, value);
  return `${standIn.origin}/wap-frontflex/flexforms/${flexId}?${link}`;
}

/** The events that have arrived, as [type, fields]. */
async function received(): Promise<[string, Record<string, string>][]> {
  await standIn.control.idle();
  return site.calls.map(({ query, body, headers }) => [
    query.get("eventType") ?? "",
    headers["content-type"] === "application/json"
      ? JSON.parse(body)
      : Object.fromEntries(new URLSearchParams(body)),
  ]);
}

async function typesReceived(): Promise<string[]> {
  return (await received()).map(([type]) => type);
}

/** Buys and returns the subscription's id. */
async function buy(card = "4242", link = linkTo()): Promise<string> {
  expect((await submit(link, { card, email: "ada@example.com" })).status).toBe(303);
  const [, fields] = (await received()).findLast(([type]) => type === "NewSaleSuccess") ?? [];
  return fields?.subscriptionId ?? "";
}

async function manage(action: string, more: Record<string, string> = {}): Promise<string> {
  const { clientAccnum, dataLinkUser: username, dataLinkPassword: password } = SETTINGS;
  const params = { clientAccnum, username, password, action, returnXML: "1", ...more };
  const answer = await fetch(`${standIn.origin}/utils/subscriptionManagement.cgi`, {
    method: "POST",
    body: new URLSearchParams(params),
  });
  return answer.text();
}

async function extract(more: Record<string, string> = {}): Promise<string> {
  const { clientAccnum, clientSubacc, dataLinkUser: username, dataLinkPassword: password } = SETTINGS;
  const now = standIn.control.now();
  const window = { startTime: digitsOf(now - DAY), endTime: digitsOf(now) };
  const transactionTypes = "NEW,REBILL,REFUND,VOID,CHARGEBACK,EXPIRE";
  const params = { clientAccnum, clientSubacc, username, password, transactionTypes, ...window, ...more };
  return (await fetch(`${standIn.origin}/data/main.cgi?${new URLSearchParams(params)}`)).text();
}

const codeOf = (answer: string) => Number(/<results>(-?\d+)</.exec(answer)?.[1] ?? answer);
const statusOf = async (subscriptionId: string) =>
  /<subscriptionStatus>(\d)</.exec(await manage("viewSubscriptionStatus", { subscriptionId }))?.[1];

describe("the digests", () => {
  test("are those of CCBill's documentation", () => {
    const once = { initialPrice: "10.00", initialPeriod: "30", currencyCode: "840" };
    expect(formDigest(new URLSearchParams(once), SALT)).toBe("a7459445d0e5dc0963fe736dc5cf900b");
    expect(formDigest(new URLSearchParams(MONTHLY), SALT)).toBe("edf00dfe9716c774077d0393e7e7ece2");
    const trial = {
      ...MONTHLY,
      initialPrice: "2.95",
      initialPeriod: "3",
      recurringPrice: "19.95",
      currencyCode: "978",
    };
    expect(formDigest(new URLSearchParams(trial), SALT)).toBe("840f5bfbad211dcc1836e3e35afbfae3");
    const sale = responseDigest("0112187401000000099", { isApproved: true, salt: SALT });
    expect(sale).toBe("3a7bbfbaca27cbe2807c40017f709e92");
    const denial = responseDigest("0912191101000000159", { isApproved: false, salt: SALT });
    expect(denial).toBe("77ff5d216c2329e83532f4c0b0dc4ae9");
  });
});

test("the time is that of Arizona, in winter and in summer", () => {
  for (const month of ["01", "08"]) {
    const at = Date.parse(`2012-${month}-06T01:18:17Z`) / 1000;
    expect(timestampOf(at)).toBe(`2012-${month}-05 18:18:17`);
    expect(dateOf(at)).toBe(`2012-${month}-05`);
    expect(parseDigits(digitsOf(at))).toBe(at);
  }
});

describe("the payment form", () => {
  test("shows a price whose digest fits, and an error with the status 200 for anything else", async () => {
    const shown = await (await fetch(linkTo())).text();
    expect(shown).toContain("$9.99(USD) for 30 days then $9.99(USD) recurring every 30 days");
    expect(shown).not.toContain("<script");
    for (const [link, reason] of [
      [linkTo().replace("initialPrice=9.99", "initialPrice=2.99"), "formDigest"],
      [linkTo(MONTHLY, { formName: "003ff" }), "formName"],
      [linkTo(MONTHLY, { clientSubacc: "0001" }), "subaccount"],
      [linkTo({ ...MONTHLY, initialPrice: "1.00" }), "2.95"],
      [linkTo({ ...MONTHLY, initialPeriod: "2" }), "initialPeriod"],
      [linkTo({ ...MONTHLY, recurringPeriod: "31" }), "30, 60 or 90"],
      [linkTo({ ...MONTHLY, currencyCode: "392" }), "currencyCode"],
    ] as const) {
      const answer = await fetch(link);
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining(reason)]);
      expect((await submit(link, { card: "4242" })).status).toBe(200);
    }
    expect(await typesReceived()).toEqual([]);
  });

  test("sells again each time, with an id that no number holds and the link's variables in the event", async () => {
    const answer = await submit(linkTo(), { card: "4242", email: "ada@example.com" });
    expect(answer.headers.get("location")).toBe(`http://localhost/subscribe/return?checkout=${CHECKOUT}`);
    await submit(linkTo(), { card: "4242", email: "ada@example.com" });
    const [[type, first] = ["", {}], [, second] = ["", {}]] = await received();
    expect(type).toBe("NewSaleSuccess");
    expect(first).toMatchObject({
      clientAccnum: "900100",
      clientSubacc: "0000",
      eventType: "NewSaleSuccess",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      billedInitialPrice: "9.99",
      billedCurrencyCode: "840",
      rebills: "99",
      email: "ada@example.com",
      "X-peony_checkout": CHECKOUT,
      "X-initialPrice": "9.99",
      dynamicPricingValidationDigest: responseDigest(first.subscriptionId ?? "", {
        isApproved: true,
        salt: SALT,
      }),
    });
    expect(first.subscriptionId).toMatch(/^0\d{18}$/);
    expect(second.subscriptionId).not.toBe(first.subscriptionId);
    expect(second.paymentAccount).toBe(first.paymentAccount);
    expect(Object.values(first).every((value) => typeof value === "string")).toBe(true);
  });

  test("leads to the denial page after three declines, each of which is reported", async () => {
    let page = await submit(linkTo(), { card: "0002" });
    for (const declines of ["1", "2"]) {
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("was declined")]);
      page = await submit(linkTo(), { card: "0002", declines });
    }
    expect(page.headers.get("location")).toBe(`http://localhost/subscribe?refused=${CHECKOUT}`);
    const events = await received();
    expect(events.map(([type]) => type)).toEqual(["NewSaleFailure", "NewSaleFailure", "NewSaleFailure"]);
    expect(events[0]?.[1]).toMatchObject({ failureCode: "BE-900", "X-peony_checkout": CHECKOUT });
    for (const name of ["subscriptionId", "nextRenewalDate", "bin", "last4", "expDate"])
      expect(events[0]?.[1]).not.toHaveProperty(name);
  });

  test("asks the bank when the card wants it", async () => {
    const asked = await submit(linkTo(), { card: "3184", email: "ada@example.com" });
    expect(await asked.text()).toContain("Your bank asks");
    expect(await typesReceived()).toEqual([]);
    await submit(linkTo(), { card: "3184", is_authenticated: "yes" });
    expect(await typesReceived()).toEqual(["NewSaleSuccess"]);
  });
});

describe("a subscription", () => {
  test("renews on its day, recovers from one failure, and ends with the second", async () => {
    const id = await buy();
    await standIn.control.advance(30 * DAY);
    standIn.control.act("fail", id);
    await standIn.control.advance(30 * DAY);
    const overdue = await manage("viewSubscriptionStatus", { subscriptionId: id });
    expect(overdue).toContain("<subscriptionStatus>2<");
    const retryDate = digitsOf(standIn.control.now() + 2 * DAY).slice(0, 8);
    expect(overdue).toContain(`<nextBillingDate>${retryDate}<`);
    await standIn.control.advance(2 * DAY);
    const [, , failure, success] = await received();
    const dayAfter = (date = "") => new Date(Date.parse(date) + 2 * DAY * 1000).toISOString().slice(0, 10);
    expect(failure?.[1].nextRetryDate).toBe(dayAfter(failure?.[1].renewalDate));
    expect(success).toMatchObject(["RenewalSuccess", { subscriptionId: id, billedAmount: "9.99" }]);
    expect(success?.[1]).not.toHaveProperty("X-peony_checkout");
    standIn.control.act("fail", id);
    standIn.control.act("fail", id);
    await standIn.control.advance(30 * DAY);
    expect(await typesReceived()).toEqual([
      ...["NewSaleSuccess", "RenewalSuccess", "RenewalFailure", "RenewalSuccess"],
      ...["RenewalFailure", "Cancellation", "Expiration"],
    ]);
    expect((await received()).at(-2)?.[1]).toMatchObject({ source: "failedRB" });
    expect(await statusOf(id)).toBe("0");
  });

  test("with a card that fails later goes on once the card is updated", async () => {
    const id = await buy("0341");
    await standIn.control.advance(30 * DAY);
    standIn.control.act("card", id);
    await standIn.control.advance(2 * DAY);
    const types = await typesReceived();
    expect(types).toEqual(["NewSaleSuccess", "RenewalFailure", "CustomerDataUpdate", "RenewalSuccess"]);
  });

  test("that is cancelled or sold once keeps its paid time, and then expires", async () => {
    const cancelled = await buy();
    const once = await buy(
      "4242",
      linkTo({ initialPrice: "9.99", initialPeriod: "30", currencyCode: "840" }),
    );
    standIn.control.act("cancel", cancelled);
    expect([await statusOf(cancelled), await statusOf(once)]).toEqual(["1", "1"]);
    standIn.control.act("move", cancelled);
    await standIn.control.advance(31 * DAY);
    expect([await statusOf(cancelled), await statusOf(once)]).toEqual(["1", "0"]);
    await standIn.control.advance(7 * DAY);
    expect(await statusOf(cancelled)).toBe("0");
    const types = (await typesReceived()).slice(2);
    expect(types).toEqual(["Cancellation", "BillingDateChange", "Expiration", "Expiration"]);
  });

  test("ends with a refund, a void or a chargeback, of which only the refund does not name the payment", async () => {
    for (const [name, type] of [
      ["refund", "Refund"],
      ["void", "Void"],
      ["chargeback", "Chargeback"],
    ] as const) {
      const id = await buy();
      site.calls.length = 0;
      standIn.control.act(name, id);
      const [returned, ...rest] = await received();
      expect(returned).toMatchObject([type, { subscriptionId: id, amount: "9.99", currencyCode: "840" }]);
      expect(returned?.[1].transactionId === id).toBe(name !== "refund");
      expect(rest.map(([each]) => each)).toEqual(["Cancellation", "Expiration"]);
      expect(await statusOf(id)).toBe("0");
    }
  });
});

describe("DataLink", () => {
  test("answers the status in XML or CSV, as captured from a live account", async () => {
    const subscriptionId = await buy();
    expect(await manage("viewSubscriptionStatus", { subscriptionId })).toMatch(
      new RegExp(
        [
          "^<\\?xml version='1.0' standalone='yes'\\?>\n<results>\n  <chargebacksIssued>0</chargebacksIssued>",
          "\n  <nextBillingDate>\\d{8}</nextBillingDate>\n  <recurringSubscription>1</recurringSubscription>",
          "\n  <refundsIssued>0</refundsIssued>\n  <signupDate>\\d{14}</signupDate>",
          "\n  <subscriptionStatus>2</subscriptionStatus>\n  <timesRebilled>0</timesRebilled>",
          "\n  <voidsIssued>0</voidsIssued>\n</results>\n$",
        ].join(""),
      ),
    );
    expect(await manage("cancelSubscription", { subscriptionId, returnXML: "" })).toBe('"results"\n"1"\n');
    const cancelled = await manage("viewSubscriptionStatus", { subscriptionId });
    expect(cancelled).toMatch(/<cancelDate>\d{14}<.*<expirationDate>\d{14}<.*<subscriptionStatus>1</s);
    expect(cancelled).not.toContain("nextBillingDate");
    expect(codeOf(await manage("cancelSubscription", { subscriptionId }))).toBe(0);
    expect(await typesReceived()).toEqual(["NewSaleSuccess", "Cancellation"]);
  });

  test("has a code for each refusal", async () => {
    const subscriptionId = await buy();
    for (const [code, action, more] of [
      [-2, "viewSubscriptionStatus", { subscriptionId: "abc" }],
      [-3, "viewSubscriptionStatus", { subscriptionId: "0112142105000024275" }],
      [-4, "viewSubscriptionStatus", { subscriptionId, usingSubacc: "0001" }],
      [-5, "viewSubscriptionStatus", {}],
      [-6, "deleteEverything", { subscriptionId }],
      [0, "refundTransaction", { subscriptionId, amount: "10.00" }],
      [-5, "refundTransaction", { subscriptionId, amount: "ten" }],
      [1, "refundTransaction", { subscriptionId, amount: "5.95" }],
    ] as const) {
      expect([action, more, codeOf(await manage(action, more))]).toEqual([action, more, code]);
    }
    expect(await statusOf(subscriptionId), "a refund of a part ends it, too").toBe("0");
  });

  test("answers −7 before or after the effect, −8, another status, or late", async () => {
    const subscriptionId = await buy();
    const { control } = standIn;
    control.failNext({ code: -7, pathIncludes: "/utils/" });
    expect(codeOf(await manage("cancelSubscription", { subscriptionId }))).toBe(-7);
    expect(await statusOf(subscriptionId)).toBe("2");
    control.failNext({ code: -7, afterEffect: true });
    expect(codeOf(await manage("cancelSubscription", { subscriptionId }))).toBe(-7);
    expect(await statusOf(subscriptionId)).toBe("1");
    control.failNext({ code: -8 });
    expect(codeOf(await manage("viewSubscriptionStatus", { subscriptionId }))).toBe(-8);
    control.failNext({ status: 403 });
    const url = `${standIn.origin}/utils/subscriptionManagement.cgi`;
    expect((await fetch(url, { method: "POST" })).status).toBe(403);
  });

  test("locks everybody out for an hour after three failed logins", async () => {
    const subscriptionId = await buy();
    const password = { subscriptionId, password: "wrong" };
    for (let time = 0; time < 3; time++)
      expect(codeOf(await manage("viewSubscriptionStatus", password))).toBe(-1);
    expect(codeOf(await manage("viewSubscriptionStatus", { subscriptionId }))).toBe(-12);
    expect(await extract()).toMatch(/^Error: /);
    await standIn.control.advance(3_601);
    expect(await statusOf(subscriptionId)).toBe("2");
  });
});

describe("the extract", () => {
  test("lists a day at most, once an hour", async () => {
    expect(await extract()).toBe("1");
    expect(await extract()).toMatch(/^Error: .*60 minutes/);
    await standIn.control.advance(3_600);
    const now = standIn.control.now();
    expect(await extract({ startTime: digitsOf(now - DAY - 1) })).toMatch(/^Error: .*24 hours/);
    expect(await extract({ startTime: "yesterday" })).toMatch(/^Error: /);
    expect(await extract({ password: "wrong" })).toMatch(/^Error: /);
    expect(await extract()).toBe("1");
  });

  test("has a line for each transaction, which repairs what was lost", async () => {
    const { control } = standIn;
    control.webhooks({ mode: "drop" });
    await submit(linkTo(), { card: "4242", email: "ada@example.com" });
    await control.advance(60);
    const [sold = ""] = (await extract({ transactionTypes: "NEW" })).split("\n");
    expect(sold).toMatch(
      /^"NEW","900100","0000","0\d{18}","[\d-]{10} [\d:]{8}",.*"ada@example.com".*"9.99","30","9.99","30","1","VISA"$/,
    );
    const id = sold.split('"')[7] ?? "";
    await control.advance(30 * DAY);
    control.act("chargeback", id);
    const lines = (await extract()).trimEnd().split("\n");
    expect(lines).toEqual([
      expect.stringMatching(`^"REBILL","900100","0000","${id}","[\\d-]{10}","0\\d{18}","9.99"$`),
      expect.stringMatching(`^"CHARGEBACK","900100","0000","${id}","[\\d-]{10}","9.99"$`),
      expect.stringMatching(`^"EXPIRE","900100","0000","${id}","[\\d-]{10}"$`),
    ]);
    expect(site.calls).toEqual([]);
  });
});

describe("the webhooks", () => {
  test("are JSON or a form, with the event's name in the query", async () => {
    await buy();
    standIn.control.write("form");
    await buy();
    const [json, form] = site.calls;
    for (const { query } of site.calls)
      expect(Object.fromEntries(query)).toEqual({
        clientAccnum: "900100",
        clientSubacc: "0000",
        eventType: "NewSaleSuccess",
        eventGroupType: "Subscription",
      });
    expect(json?.headers["content-type"]).toBe("application/json");
    expect(form?.headers["content-type"]).toBe("application/x-www-form-encoded");
    expect(new URLSearchParams(form?.body).get("X-peony_checkout")).toBe(CHECKOUT);
    expect(new URLSearchParams(form?.body).has("eventType")).toBe(false);
  });

  test("are held back, reversed, repeated, lost, sent again, or sent from a foreign address", async () => {
    const { control } = standIn;
    control.webhooks({ mode: "hold" });
    await submit(linkTo(), { card: "4242" });
    const [{ id: sale, fields } = { id: "", fields: { subscriptionId: "" } }] = control.heldBack();
    control.act("cancel", fields.subscriptionId ?? "");
    expect(await typesReceived()).toEqual([]);
    await submit(standIn.origin, { intent: "flush reversed" });
    expect(await typesReceived()).toEqual(["Cancellation", "NewSaleSuccess"]);
    control.webhooks({ repeat: 2 });
    control.act("move", fields.subscriptionId ?? "");
    expect((await typesReceived()).slice(2)).toEqual(["BillingDateChange", "BillingDateChange"]);
    control.webhooks({ forgedShare: 1 });
    control.resend(sale);
    await control.idle();
    expect(site.calls.map(({ from }) => from)).toEqual([...Array(4).fill("127.0.0.1"), "127.0.0.2"]);
    expect(site.calls[4]?.body).toBe(site.calls[1]?.body);
  });

  test("are repeated until the site accepts them, across a restart as well", async () => {
    const folder = await mkdtemp(join(tmpdir(), "peony-ccbill-"));
    const options = { settings: SETTINGS, webhookUrl: site.url, stateFile: join(folder, "s.json") };
    await standIn.stop();
    standIn = await startCcbillStandIn(options);
    standIn.control.webhooks({ retryMs: 10 });
    site.answer(503);
    await submit(linkTo(), { card: "4242" });
    await expect.poll(() => site.calls.length).toBeGreaterThan(1);
    await standIn.stop();
    site.answer(200);
    site.calls.length = 0;
    standIn = await startCcbillStandIn(options);
    expect(await typesReceived()).toEqual(["NewSaleSuccess"]);
    await rm(folder, { recursive: true });
  });
});

test("the control page has a button for everything, and no real site can start the stand-in", async () => {
  const id = await buy();
  const page = await (await fetch(standIn.origin)).text();
  for (const intent of [
    "renew",
    "fail",
    "cancel",
    "reactivate",
    "refund",
    "void",
    "chargeback",
    "move",
    "card",
  ])
    expect(page).toContain(`value="${intent} ${id}"`);
  for (const intent of ["advance 31", "write form", "refuse 1", `cancel ${id}`, `reactivate ${id}`])
    expect((await submit(standIn.origin, { intent })).status).toBe(303);
  expect(codeOf(await manage("cancelSubscription", { subscriptionId: id }))).toBe(-7);
  expect((await typesReceived()).slice(1)).toEqual([
    ...["RenewalSuccess", "Cancellation", "UserReactivation", "Cancellation"],
  ]);
  expect((await submit(standIn.origin, { intent: "refund 0123" })).status).toBe(400);
  const hosted = startCcbillStandIn({ settings: SETTINGS, appUrl: "https://peony.example" });
  await expect(hosted).rejects.toThrow("APP_URL");
});
