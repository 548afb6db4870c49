import { randomBytes } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeEach, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { billingMails, checkouts, invoices, prices, products, subscriptions } from "#db/schema/billing.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { createMember } from "#tests/support/people.ts";
import { mailAboutInvoice, mailAboutSubscription } from "./billing-mails.server.ts";
import { sendDueMails } from "./due-mails.server.ts";

type Subscription = typeof subscriptions.$inferSelect;
type Invoice = typeof invoices.$inferSelect;

const DAY_MS = 24 * 3600 * 1000;
const TERMS = "I agree that it renews for $14.99 a month until I cancel.";
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS);
const id = (kind: string) => `${kind}_${randomBytes(6).toString("hex")}`;

beforeEach(async () => {
  await db.delete(subscriptions);
  const product = { id: "prod_letters", name: "All access" };
  await db.insert(products).values(product).onConflictDoNothing();
  const common = { productId: product.id, currency: "usd" };
  await db
    .insert(prices)
    .values([
      { ...common, id: "monthly", unitAmount: 1499, interval: "month" },
      { ...common, id: "yearly", unitAmount: 11_900, interval: "year" },
    ])
    .onConflictDoNothing();
});

async function begin(given: Partial<Subscription> = {}) {
  const { id: userId, email } = await createMember();
  const [subscription] = await db
    .insert(subscriptions)
    .values({
      id: id("sub"),
      userId,
      provider: "stripe",
      status: "active",
      priceId: "monthly",
      currentPeriodStart: inDays(0),
      currentPeriodEnd: inDays(30),
      ...given,
    })
    .returning();
  if (!subscription) throw new Error("Nothing was stored");
  return { subscription, email, userId };
}

async function bill({ id: subscriptionId, userId }: Subscription, given: Partial<Invoice> = {}) {
  const [invoice] = await db
    .insert(invoices)
    .values({
      id: id("in"),
      userId,
      subscriptionId,
      number: "A-1",
      status: "paid",
      currency: "usd",
      total: 1499,
      amountPaid: 1499,
      periodStart: inDays(0),
      periodEnd: inDays(30),
      createdAt: inDays(0),
      hostedUrl: "https://pay.example/invoice",
      ...given,
    })
    .returning();
  if (!invoice) throw new Error("Nothing was stored");
  return invoice;
}

const mailInvoice = (invoice: Invoice) => db.transaction((tx) => mailAboutInvoice(tx, invoice));
const tell = (after: Subscription, before: Subscription | null = null) =>
  db.transaction((tx) => mailAboutSubscription(tx, { before, after }));

async function change(subscription: Subscription, changed: Partial<Subscription>): Promise<Subscription> {
  await db.update(subscriptions).set(changed).where(eq(subscriptions.id, subscription.id));
  const after = { ...subscription, ...changed };
  await tell(after, subscription);
  return after;
}

const mailsTo = (email: string) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
const subjects = async (email: string) => (await mailsTo(email)).map(({ subject }) => subject);
const newest = async (email: string) => (await mailsTo(email)).at(-1) ?? { text: "", html: "", subject: "" };

test("the first payment is one mail, in whichever order it is heard of: receipt, terms and how to cancel", async () => {
  for (const isInvoiceFirst of [true, false]) {
    const { subscription, email, userId } = await begin();
    const consent = { consentText: TERMS, consentHash: "0", subscriptionId: subscription.id };
    const price = { priceId: "monthly", currency: "usd", unitAmount: 1499, interval: "month" as const };
    await db
      .insert(checkouts)
      .values({ ...consent, ...price, userId, provider: "stripe", intervalCount: 1, status: "completed" });
    if (!isInvoiceFirst) await tell(subscription);
    const invoice = await bill(subscription);
    if (isInvoiceFirst) await tell(subscription);
    else await mailInvoice(invoice);
    await sendDueMails(inDays(0.5));
    expect(await subjects(email)).toEqual(["Peony: Your subscription has begun: receipt"]);
    const { text, html } = await newest(email);
    for (const words of ["$14.99", "All access", TERMS, "A-1"]) expect(text).toContain(words);
    for (const link of ["https://pay.example/invoice", "/cancel?subscription="]) {
      expect(text).toContain(link);
      expect(html).toContain(link);
    }
  }
});

test("a receipt whose subscription is not known yet waits for it", async () => {
  const { subscription, email } = await begin();
  const invoice = await bill(subscription);
  await db.delete(subscriptions).where(eq(subscriptions.id, subscription.id));
  await mailInvoice(invoice);
  expect(await subjects(email)).toEqual([]);
  await db.insert(subscriptions).values(subscription);
  await tell(subscription);
  expect(await subjects(email)).toEqual(["Peony: Your subscription has begun: receipt"]);
});

test("a subscription that began with nothing to pay is confirmed a little later", async () => {
  const { subscription, email, userId } = await begin({ created: inDays(-0.5) });
  await tell(subscription);
  await mailInvoice(await bill(subscription, { total: 0, amountPaid: 0 }));
  expect(await subjects(email)).toEqual([]);
  const price = { priceId: "monthly", currency: "usd", unitAmount: 1499, interval: "month" as const };
  await db.insert(checkouts).values({
    ...price,
    userId,
    subscriptionId: subscription.id,
    provider: "stripe",
    intervalCount: 1,
    status: "completed",
    consentText: TERMS,
    consentHash: "0",
  });
  await sendDueMails();
  expect(await subjects(email)).toEqual(["Peony: Your subscription has begun"]);
  expect((await newest(email)).text).toContain(TERMS);
});

test("every fact is one mail, however often and however many at a time it is told", async () => {
  const { subscription, email } = await begin({ status: "trialing", trialEnd: inDays(14) });
  const begun = { ...subscription, trialStart: inDays(0), currentPeriodEnd: inDays(14) };
  const cancelled = { ...begun, cancelAtPeriodEnd: true, canceledAt: inDays(0) };
  const failed = await bill(subscription, {
    status: "open",
    attempts: 1,
    amountPaid: 0,
    amountRemaining: 1499,
  });
  const paid = await bill(subscription);
  const ended = { ...cancelled, status: "canceled" as const, endedAt: inDays(0) };
  const facts: (() => Promise<void>)[] = [
    () => tell(begun),
    () => mailInvoice(failed),
    () => mailInvoice(paid),
    () => change(begun, cancelled).then(() => undefined),
    () => change(cancelled, ended).then(() => undefined),
  ];
  for (const fact of facts) await Promise.all(Array.from({ length: 20 }, fact));
  for (const fact of facts) await fact();
  expect((await subjects(email)).map((subject) => subject.replace(/ on .*/, ""))).toEqual([
    "Peony: Your trial has begun and ends",
    "Peony: A payment did not go through",
    "Peony: Receipt",
    "Peony: Your cancellation is confirmed",
    "Peony: Your subscription has ended",
  ]);
});

test("who cancels, takes it back and cancels again is told each time", async () => {
  const { subscription, email } = await begin();
  const first = await change(subscription, { cancelAtPeriodEnd: true, canceledAt: inDays(-0.1) });
  expect((await newest(email)).text).toContain("Nothing more is charged");
  const kept = await change(first, { cancelAtPeriodEnd: false, canceledAt: null });
  await change(kept, { cancelAtPeriodEnd: true, canceledAt: inDays(0) });
  expect(await subjects(email)).toEqual(Array(2).fill("Peony: Your cancellation is confirmed"));
});

test("a trial of a week is one mail with both dates, and its reminder does not follow a minute later", async () => {
  const trial = { status: "trialing", trialStart: inDays(0), trialEnd: inDays(7) } as const;
  const { subscription, email } = await begin({ ...trial, currentPeriodEnd: inDays(7) });
  await tell(subscription);
  for (const days of [0, 1, 6]) await sendDueMails(inDays(days));
  expect(await subjects(email)).toHaveLength(1);
  expect((await newest(email)).text).toContain("Your trial of 7 days has begun");
});

test("what happened long ago is not told, but for the payment that was said to have failed", async () => {
  const old = { created: inDays(-40), currentPeriodStart: inDays(-10) };
  const { subscription, email } = await begin(old);
  await tell(subscription);
  await mailInvoice(await bill(subscription, { createdAt: inDays(-10) }));
  await change(subscription, { cancelAtPeriodEnd: true, canceledAt: inDays(-5) });
  await change(subscription, { status: "canceled", endedAt: inDays(-4) });
  expect(await subjects(email)).toEqual([]);

  const overdue = await change(subscription, { status: "past_due", cancelAtPeriodEnd: false });
  const failed = await bill(overdue, { status: "open", attempts: 1, amountPaid: 0, amountRemaining: 1499 });
  await mailInvoice(failed);
  const late = {
    ...failed,
    status: "paid" as const,
    amountPaid: 1499,
    amountRemaining: 0,
    createdAt: inDays(-9),
  };
  await mailInvoice(late);
  expect(await subjects(email)).toEqual(["Peony: A payment did not go through", "Peony: Receipt"]);
});

test("what a bank sends later than news stays news is told of when it comes, and what it sends back then", async () => {
  const late = { createdAt: inDays(-9), paidAt: inDays(0) };
  const due = { createdAt: inDays(-9), status: "open", attempts: 1, amountPaid: 0 } as const;
  const renewed = { created: inDays(-40), currentPeriodStart: inDays(-9) };
  const told = async (given: Partial<Subscription>, billed: Partial<Invoice>) => {
    const { subscription, email } = await begin(given);
    const invoice = await bill(subscription, billed);
    await tell(subscription);
    await mailInvoice(invoice);
    return { subscription, invoice, subjects: () => subjects(email) };
  };
  const first = await told({ created: inDays(-9) }, late);
  expect(await first.subjects()).toEqual(["Peony: Your subscription has begun: receipt"]);
  expect(await (await told(renewed, late)).subjects()).toEqual(["Peony: Receipt"]);
  expect(await (await told(renewed, { ...late, paidAt: inDays(-4) })).subjects()).toEqual([]);
  expect(await (await told({ ...renewed, status: "past_due" }, due)).subjects()).toEqual([]);

  const fresh = { ...due, createdAt: inDays(0) };
  for (const billed of [fresh, due]) {
    const onItsWay = await told({ ...renewed, isPaymentPending: true }, billed);
    expect(await onItsWay.subjects()).toEqual([]);
    await change(onItsWay.subscription, { status: "past_due", isPaymentPending: false });
    await mailInvoice(onItsWay.invoice);
    expect(await onItsWay.subjects()).toEqual(["Peony: A payment did not go through"]);
  }
});

test.each([
  ["canceled", "Peony: Your cancellation is confirmed", "before its first payment was completed"],
  ["incomplete_expired", "Peony: Your subscription has not begun", "was not completed in time"],
] as const)(
  "an unpaid beginning says nothing, and its end, %s, is told once",
  async (status, subject, why) => {
    const { subscription, email } = await begin({ status: "incomplete", hasBegun: false });
    await tell(subscription);
    await mailInvoice(
      await bill(subscription, { status: "open", attempts: 1, amountPaid: 0, amountRemaining: 1499 }),
    );
    expect(await subjects(email)).toEqual([]);
    const after = await change(subscription, { status, endedAt: inDays(0) });
    await tell(after);
    expect(await subjects(email)).toEqual([subject]);
    const { text } = await newest(email);
    expect(text).toContain(why);
    expect(text).toContain("Nothing was paid.");
    const long = await begin({ status, hasBegun: false, endedAt: inDays(-4) });
    await tell(long.subscription);
    expect(await subjects(long.email)).toEqual([]);
  },
);

test.each([
  ["day", 1, false],
  ["day", 363, false],
  ["day", 364, true],
  ["day", 365, true],
  ["week", 51, false],
  ["week", 52, true],
  ["month", 1, false],
  ["month", 11, false],
  ["month", 12, true],
  ["month", 24, true],
  ["year", 1, true],
  ["year", 3, true],
] as const)(
  "a plan of %s × %i is told of before it renews: %s",
  async (interval, intervalCount, isMailed) => {
    const priceId = `every_${intervalCount}_${interval}`;
    const price = { id: priceId, productId: "prod_letters", currency: "usd", unitAmount: 100, interval };
    await db.insert(prices).values({ ...price, intervalCount });
    // Plans without a mail before each renewal get a yearly reminder.
    const { email } = await begin({ priceId, created: inDays(-370), currentPeriodEnd: inDays(20) });
    await sendDueMails();
    const renews = expect.stringMatching(/^Peony: Your subscription renews on /);
    expect(await subjects(email)).toEqual([isMailed ? renews : "Peony: Your subscription, once a year"]);
  },
);

test("400 days of reminders, run every hour of some days: each once, on its day", async () => {
  const start = inDays(0);
  const day = (days: number) => new Date(start.getTime() + days * DAY_MS);
  const trial = {
    status: "trialing",
    trialStart: start,
    trialEnd: day(14),
    currentPeriodEnd: day(14),
  } as const;
  const trialing = await begin({ ...trial, created: start });
  const yearly = await begin({ priceId: "yearly", created: start, currentPeriodEnd: day(365) });
  const monthly = await begin({ created: start, currentPeriodEnd: day(30) });
  const cancellation = await begin({
    priceId: "yearly",
    cancelAtPeriodEnd: true,
    currentPeriodEnd: day(365),
  });
  const anniversary = (new Date(start).setUTCFullYear(start.getUTCFullYear() + 1) - start.getTime()) / DAY_MS;
  const told: Record<string, number[]> = {};
  const people = { trialing, yearly, monthly, cancellation };
  for (let now = 0; now <= 400; now += 1) {
    for (const { subscription } of [monthly, yearly]) {
      if (subscription.currentPeriodEnd > day(now)) continue;
      const length = subscription.priceId === "yearly" ? 365 : 30;
      subscription.currentPeriodEnd = day(now + length);
      const renewed = { currentPeriodEnd: subscription.currentPeriodEnd };
      await db.update(subscriptions).set(renewed).where(eq(subscriptions.id, subscription.id));
    }
    for (let run = 0; run < (now % 50 === 0 ? 24 : 1); run += 1) await sendDueMails(day(now + run / 24));
    for (const [who, { email }] of Object.entries(people)) {
      const all = await db.$count(mailOutbox, eq(mailOutbox.to, email));
      const days = told[who] ?? [];
      told[who] = [...days, ...Array<number>(all - days.length).fill(now)];
    }
  }
  expect(told).toEqual({ trialing: [7], yearly: [335], monthly: [anniversary], cancellation: [] });
  expect(await subjects(yearly.email)).toEqual([
    expect.stringMatching(/^Peony: Your subscription renews on /),
  ]);
  expect(await subjects(monthly.email)).toEqual(["Peony: Your subscription, once a year"]);
}, 120_000);

test("more reminders than fit one transaction all leave", async () => {
  const { userId, email } = await begin({ priceId: "yearly", currentPeriodEnd: inDays(90) });
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, userId));
  if (!row) throw new Error("Nothing was stored");
  const many = Array.from({ length: 205 }, () => ({ ...row, id: id("sub"), currentPeriodEnd: inDays(20) }));
  await db.insert(subscriptions).values(many);
  expect(await sendDueMails()).toBe(205);
  expect(await sendDueMails()).toBe(0);
  expect(await subjects(email)).toHaveLength(205);
  expect(await db.$count(billingMails, eq(billingMails.userId, userId))).toBe(205);
});

test("subjects and mails say nothing of what the site shows", async () => {
  const mails = await db.select().from(mailOutbox);
  expect(mails.length).toBeGreaterThan(10);
  for (const { subject, text, html } of mails) {
    expect(subject).toMatch(/^Peony: /);
    const written = `${subject}${text}${html}`.replaceAll(/signature=[\w-]+/g, "");
    expect(written).not.toMatch(/film|video|photo|nude|adult|watch|\{|undefined|null/i);
    expect(text).toMatch(/\/cancel\?subscription=sub_[0-9a-f]+&signature=[\w-]{43}/);
  }
});
