import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatDate } from "#app/dates.ts";
import { changeSubscription } from "#app/domain/billing/cancellation/change-subscription.server.ts";
import { endRenewals } from "#app/domain/billing/cancellation/end-renewals.server.ts";
import { sendDueMails } from "#app/domain/billing/mails/reminder-mails.server.ts";
import { addPrice } from "#app/domain/billing/offers/own-prices.server.ts";
import { listProviders } from "#app/domain/billing/subscriptions/provider-overview.server.ts";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices } from "#db/schema/prices.ts";
import { auditLog } from "#db/schema/staff.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import type { Payer } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { DAY, startMovingSite } from "#tests/support/billing/two-providers.ts";
import { runScript } from "#tests/support/process/built-script.ts";

const WHY = "because this site is changing its payment provider";
const NAMES = [
  "running",
  "trial",
  "cardless",
  "yearly",
  "renewed",
  "canceled",
  "pastDue",
  "paused",
  "ended",
  "unknown",
] as const;
type Name = (typeof NAMES)[number];
/** The site has ended their renewals, and they have access to the end. */
const MOVED: Name[] = ["running", "trial", "cardless", "yearly", "renewed"];

const site = await startMovingSite({ daysAgo: 335 });
const { shop } = site;
const people = {} as Record<Name, Payer>;
const ids = {} as Record<Name, string>;
let price = "";
let charged = 0;
afterAll(() => site.stop());

beforeAll(async () => {
  for (const name of NAMES) people[name] = await shop.createPayer(`${name.toLowerCase()}@example.com`);
  const recurring = { interval: "day" as const, interval_count: 30 };
  const common = { product: shop.product.id, currency: "usd", unit_amount: 1499 };
  const days30 = (await shop.stripe.prices.create({ ...common, recurring })).id;
  await syncOffer({ isDryRun: false });
  const buy = async (name: Name, more: Parameters<typeof shop.buy>[1] = {}) => {
    ids[name] = await shop.buy(people[name], { price: days30, ...more });
  };
  const tryOut = async (name: Name, days: number, without: "pause" | "cancel") => {
    const trial = {
      trial_period_days: days,
      trial_settings: { end_behavior: { missing_payment_method: without } },
    };
    const { customerId: customer } = people[name];
    ids[name] = (
      await shop.stripe.subscriptions.create({ customer, items: [{ price: days30 }], ...trial })
    ).id;
  };
  await buy("yearly", { price: shop.yearly.id });
  await site.control.advance(305 * DAY);
  await buy("renewed");
  await buy("pastDue", { card: "0341" });
  await tryOut("paused", 7, "pause");
  await site.control.advance(30 * DAY + 60);
  await buy("running");
  await buy("trial", { trialDays: 30 });
  await tryOut("cardless", 30, "cancel");
  await buy("canceled");
  await buy("ended");
  await site.settled();
  await shop.stripe.subscriptions.cancel(ids.ended);
  await site.settled();
  const { id: userId } = people.unknown;
  const currentPeriodEnd = new Date(Date.now() + 30 * DAY * 1_000);
  const period = { currentPeriodStart: new Date(), currentPeriodEnd };
  ids.unknown = "sub_of_a_closed_account";
  const closed = { id: ids.unknown, userId, provider: "former", priceId: shop.monthly.id, ...period };
  await db.insert(subscriptions).values({ ...closed, status: "active" });
  expect(await changeSubscription(own("canceled"), "cancel")).toBe("done");
  await reconcileAll({ isDryRun: false });
  await site.settled();
}, 120_000);

const own = (name: Name) => ({ id: ids[name], userId: people[name].id });
const rowOf = async (name: Name) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, ids[name])))[0];
const statesOf = async () =>
  Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, (await rowOf(name))?.status])));
const mailsTo = async (name: Name, kind: string) =>
  (await db.select().from(mailOutbox).where(eq(mailOutbox.to, people[name].email))).filter(
    (mail) => mail.kind === `billing-${kind}`,
  );
const thoseWith = async (kind: string, amount = 1) => {
  const counted = await Promise.all(
    NAMES.map(async (name) => [name, (await mailsTo(name, kind)).length] as const),
  );
  return counted.filter(([, sent]) => sent === amount).map(([name]) => name);
};
const chargesAtStripe = async () => {
  const all = await shop.stripe.charges.list({ limit: 100 });
  return all.data.filter(({ status }) => status === "succeeded").length;
};

async function look(name: Name, path: string) {
  const answer = await shop.site.fetch(path, { headers: { cookie: people[name].cookie } });
  return (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "").replaceAll("&#x27;", "'");
}

async function post(name: Name, path: string, form: Record<string, string>) {
  const headers = { cookie: people[name].cookie, origin: shop.site.origin };
  return shop.site.fetch(path, { method: "POST", body: new URLSearchParams(form), headers });
}

const hasAccess = async (name: Name) =>
  (await look(name, "/user/account")).includes("You have access to everything");

/** Sends the form of the offer. Returns where it leads. */
async function order(name: Name): Promise<string> {
  const { consentHash } = await purchaseOf(people[name], price);
  const answer = await post(name, "/subscribe", { plan: price, [`consent-${price}`]: consentHash ?? "" });
  return answer.headers.get("location") ?? `${answer.status}`;
}

async function buyAgain(name: Name) {
  const way = await order(name);
  expect([name, way]).toEqual([name, expect.stringMatching(/^\/subscribe\/pay\//)]);
  const page = await shop.site.fetch(way, { headers: { cookie: people[name].cookie } });
  const email = people[name].email;
  await submit(page.headers.get("location"), { card: "4242", email, customer_fname: "Ada" });
  await site.settled();
}

async function run({ isDryRun = false } = {}) {
  const all = [];
  for await (const one of endRenewals("stripe", { isDryRun })) all.push(one);
  const nameOf = (id: string) => NAMES.find((name) => ids[name] === id) ?? id;
  return Object.fromEntries(
    all.map(({ id, plan, failed }) => [nameOf(id), failed === null ? plan : "failed"]),
  );
}

test("CCBill sells, and the subscriptions at Stripe go on until the host ends their renewals", async () => {
  await site.move();
  const actor = { id: null, name: "test", role: "owner" } as const;
  await db.update(prices).set({ active: false });
  const texts = { plan: "Membership", amount: "9.99", currency: "USD", days: "30" };
  const added = await addPrice(actor, { ...texts, firstDays: "", firstAmount: "" });
  price = "added" in added ? added.added.id : "";
  expect(await statesOf()).toMatchObject({ running: "active", trial: "trialing", cardless: "trialing" });
  expect(await statesOf()).toMatchObject({ pastDue: "past_due", paused: "paused", ended: "canceled" });
  expect(await order("running")).toBe(paths.subscription());
  expect(await look("canceled", "/user/account")).toContain("Keep my subscription");
  const listed = await listProviders();
  expect(listed.map(({ name, isSetUp, isSelling }) => [name, isSetUp, isSelling])).toEqual([
    ["ccbill", true, true],
    ["stripe", true, false],
    ["former", false, false],
  ]);
  const atStripe = listed[1]?.subscriptions ?? [];
  expect(Object.fromEntries(atStripe.map(({ kind, amount }) => [kind, amount]))).toEqual({
    ...{ running: 4, cardless: 1, ending: 1 },
    ...{ overdue: 1, paused: 1 },
  });
  charged = await chargesAtStripe();
  const { code, stdout } = await runScript("billing-providers", [], site.env);
  const last = formatDate((await rowOf("running"))?.currentPeriodEnd ?? new Date());
  const days = "0 within 7 days";
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(/^ccbill {2}set up, sells\n {2}no subscriptions\n/),
  ]);
  expect(stdout).toContain("stripe  set up, does not sell\n");
  expect(stdout).toMatch(new RegExp(`\n  4  renewing; end of the period: ${days}, .*; the last ${last}\n`));
  expect(stdout).toMatch(/\n {2}1 {2}past due; .*\n/);
  expect(stdout).toMatch(
    /former {2}not set up, does not sell\n {2}1 {2}unknown to the provider; .*\n {2}This site cannot/,
  );
}, 60_000);

test("a dry run changes nothing; a failure is named, the rest goes on, and the next run ends what is left", async () => {
  const wanted = {
    ...Object.fromEntries(MOVED.map((name) => [name, "atPeriodEnd"])),
    ...{ canceled: "canceled", pastDue: "now", paused: "now" },
  };
  expect(await run({ isDryRun: true })).toEqual(wanted);
  expect(await db.$count(subscriptions, eq(subscriptions.renewalEndedBy, "site"))).toBe(0);
  site.control.failNext({ status: 500, times: 3, pathIncludes: ids.running });
  expect(await run()).toEqual({ ...wanted, running: "failed" });
  expect(await rowOf("running")).toMatchObject({ cancelAtPeriodEnd: false });
  const { pastDue: _, paused: __, ...left } = wanted;
  const done = Object.fromEntries(Object.keys(left).map((name) => [name, "canceled"]));
  expect(await run()).toEqual({ ...done, running: "atPeriodEnd" });
  await site.settled();
  for (const name of MOVED)
    expect([name, await rowOf(name)]).toMatchObject([
      name,
      { cancelAtPeriodEnd: true, renewalEndedBy: "site" },
    ]);
  expect(await rowOf("canceled")).toMatchObject({ renewalEndedBy: "member" });
  expect(await statesOf()).toMatchObject({ pastDue: "canceled", paused: "canceled" });
  // The host renews one in the dashboard, and the next run ends it again.
  await shop.stripe.subscriptions.update(ids.renewed, { cancel_at_period_end: false });
  await site.settled();
  expect(await rowOf("renewed")).toMatchObject({ cancelAtPeriodEnd: false, renewalEndedBy: null });
  const args = ["--end-renewals", "stripe"];
  const { code, stdout } = await runScript("billing-providers", args, site.env);
  expect([code, stdout.split("\n").filter((line) => line.includes("  ends on "))]).toEqual([
    0,
    [expect.stringContaining(`${ids.renewed}  ends on `)],
  ]);
  expect(stdout).toContain("1 renewal ended.");
  expect(await db.select().from(auditLog)).toMatchObject([
    { actor: "test", action: "price.added" },
    { actor: "billing:providers", action: "renewals.ended", subjectName: "stripe", after: { ended: 1 } },
  ]);
  await site.settled();
  expect(await run()).toEqual(done);
}, 60_000);

test("members read that the site changes its payment provider, never that they have canceled", async () => {
  expect(await thoseWith("moved")).toEqual(MOVED.filter((name) => name !== "renewed"));
  expect([await thoseWith("moved", 2), await thoseWith("kept")]).toEqual([["renewed"], ["renewed"]]);
  expect(await thoseWith("canceled")).toEqual(["canceled"]);
  const [mail] = await mailsTo("running", "moved");
  expect(mail?.text.replaceAll(/\s+/g, " ")).toMatch(
    new RegExp(`does not renew, ${WHY}\\. You keep your access until .* subscribe again from .* UTC on\\.`),
  );
  for (const name of MOVED) {
    const [account, page, cancel] = await Promise.all(
      ["/user/account", "/subscribe", "/user/account/subscription"].map((path) => look(name, path)),
    );
    for (const html of [account, page, cancel]) {
      expect([name, html]).toEqual([name, expect.stringContaining(WHY)]);
      expect(html).toMatch(/You can subscribe again from \d+ \w+ \d+, \d\d:\d\d UTC on\./);
      expect(html).not.toMatch(/Keep (my|your) subscription|is canceled|Change plan or card/);
    }
    expect(page).not.toContain('name="plan"');
    expect(await hasAccess(name)).toBe(true);
    expect(await order(name)).toBe(paths.subscription());
    expect((await post(name, "/user/account/subscription", { intent: "keep" })).headers.get("location")).toBe(
      paths.subscription(),
    );
    expect(await rowOf(name)).toMatchObject({ cancelAtPeriodEnd: true });
  }
  const canceled = await look("canceled", "/user/account");
  expect(canceled).not.toContain(WHY);
  expect(canceled).not.toContain("Keep my subscription");
  for (const name of ["pastDue", "paused"] as const)
    expect((await mailsTo(name, "ended"))[0]?.text.replaceAll(/\s+/g, " ")).toContain(WHY);
}, 60_000);

test("whose payment had failed, or who was paused, subscribes again at once", async () => {
  for (const name of ["pastDue", "paused", "ended"] as const) {
    expect(await hasAccess(name)).toBe(false);
    await buyAgain(name);
    expect(await hasAccess(name)).toBe(true);
  }
}, 60_000);

test("a week before the end an email names the moment, and a day before it has the button", async () => {
  await site.pass(23.5);
  await sendDueMails();
  expect(await thoseWith("ending")).toEqual([...MOVED, "unknown"]);
  const [soon] = await mailsTo("running", "ending");
  expect(soon?.text).toMatch(/subscribe again from \d+ \w+ \d+,\s+\d\d:\d\d UTC on/);
  expect(soon?.text).not.toContain("/subscribe");
  expect((await mailsTo("unknown", "ending"))[0]?.text).toContain("/subscribe");
  expect(await order("running")).toBe(paths.subscription());
  await site.pass(5.7);
  await buyAgain("renewed");
  await sendDueMails();
  await sendDueMails();
  expect(await thoseWith("ending", 2)).toEqual([...MOVED, "unknown"].filter((name) => name !== "renewed"));
  const next = (await mailsTo("running", "ending")).at(-1);
  expect(next?.text.replaceAll(/\s+/g, " ")).toContain(
    "it overlaps with up to two days that you have already paid for.",
  );
  expect(next?.text).toContain("/subscribe");
}, 90_000);

test("each subscribes again in time: no gap, nobody is charged twice, and Stripe charges nothing more", async () => {
  const page = await look("trial", "/subscribe");
  expect(page).toContain("it overlaps with up to two days of your trial");
  expect(page).toContain('name="plan"');
  expect(page).not.toContain("promotion code");
  for (const name of ["running", "trial", "cardless", "yearly", "canceled", "unknown"] as const) {
    expect(await hasAccess(name)).toBe(true);
    await buyAgain(name);
  }
  await site.control.advance(3 * DAY);
  await site.pass(3);
  for (const name of NAMES) {
    expect([name, await hasAccess(name)]).toEqual([name, true]);
    const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, people[name].id));
    const charging = rows.filter(
      (row) => row.status === "active" && !row.cancelAtPeriodEnd && !row.unknownSince,
    );
    expect([name, charging.map(({ provider }) => provider)]).toEqual([name, ["ccbill"]]);
    const paid = await db.select().from(invoices).where(eq(invoices.userId, people[name].id));
    expect(paid.filter(({ id, amountPaid }) => id.startsWith("ccbill:") && amountPaid === 999)).toHaveLength(
      1,
    );
  }
  expect(await chargesAtStripe()).toBe(charged);
  const atStripe = NAMES.filter((name) => name !== "unknown").map(
    async (name) => (await rowOf(name))?.status,
  );
  expect(new Set(await Promise.all(atStripe))).toEqual(new Set(["canceled"]));
  // Whoever has subscribed again reads nothing about an end.
  expect(await thoseWith("ended")).toEqual(["pastDue", "paused", "ended"]);
  expect(await thoseWith("paid-twice")).toEqual([]);
  const { people: differing } = (await reconcileAll({ isDryRun: true })) ?? { people: [] };
  expect(
    differing.flatMap(({ differences }) => differences).filter(({ what }) => what === "duplicate"),
  ).toEqual([]);
}, 90_000);
