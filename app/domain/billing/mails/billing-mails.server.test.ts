import { eq } from "drizzle-orm";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { config } from "#app/config.server.ts";
import { formatDate } from "#app/dates.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import {
  begin,
  bill,
  change,
  expectDiscreetMails,
  type Invoice,
  inDays,
  mailInvoice,
  mailSubscription,
  newest,
  prepareOffer,
  type Subscription,
  subjects,
} from "#tests/support/billing/stored-subscription.ts";
import { sendDueMails } from "./reminder-mails.server.ts";

const TERMS = "I agree that it renews for $14.99 a month until I cancel.";

beforeEach(prepareOffer);

test("the first payment is one email, in whichever order it is reported: receipt, terms and how to cancel", async () => {
  for (const isInvoiceFirst of [true, false]) {
    const { subscription, email, userId } = await begin();
    const consent = { consentText: TERMS, consentHash: "0", subscriptionId: subscription.id };
    const price = { priceId: "monthly", currency: "usd", unitAmount: 1499, interval: "month" as const };
    await db
      .insert(checkouts)
      .values({ ...consent, ...price, userId, provider: "stripe", intervalCount: 1, status: "completed" });
    if (!isInvoiceFirst) await mailSubscription(subscription);
    const invoice = await bill(subscription);
    if (isInvoiceFirst) await mailSubscription(subscription);
    else await mailInvoice(invoice);
    await sendDueMails(inDays(0.5));
    expect(await subjects(email)).toEqual(["Peony: Receipt for your new subscription"]);
    const { text, html } = await newest(email);
    for (const words of ["$14.99", "All access", TERMS, "A-1"]) expect(text).toContain(words);
    for (const link of ["https://pay.example/invoice", "/cancel?subscription="]) {
      expect(text).toContain(link);
      expect(html).toContain(link);
    }
  }
});

test("a receipt waits until its subscription is stored", async () => {
  const { subscription, email } = await begin();
  const invoice = await bill(subscription);
  await db.delete(subscriptions).where(eq(subscriptions.id, subscription.id));
  await mailInvoice(invoice);
  expect(await subjects(email)).toEqual([]);
  await db.insert(subscriptions).values(subscription);
  await mailSubscription(subscription);
  expect(await subjects(email)).toEqual(["Peony: Receipt for your new subscription"]);
});

test("a subscription that started without a payment is confirmed a little later", async () => {
  const { subscription, email, userId } = await begin({ created: inDays(-0.5) });
  await mailSubscription(subscription);
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
  expect(await subjects(email)).toEqual(["Peony: Your subscription has started"]);
  expect((await newest(email)).text).toContain(TERMS);
});

test("every fact is one email, however often and concurrently it is reported", async () => {
  const { subscription, email } = await begin({ status: "trialing", trialEnd: inDays(14) });
  const begun = { ...subscription, trialStart: inDays(0), currentPeriodEnd: inDays(14) };
  const canceled = { ...begun, cancelAtPeriodEnd: true, canceledAt: inDays(0) };
  const failed = await bill(subscription, {
    status: "open",
    attempts: 1,
    amountPaid: 0,
    amountRemaining: 1499,
  });
  // Paid only after the trial: free days after a payment are none.
  const unpaid = await bill(subscription, { status: "open", amountPaid: 0 });
  const paid = { ...unpaid, status: "paid" as const, amountPaid: 1499 };
  const ended = { ...canceled, status: "canceled" as const, endedAt: inDays(0) };
  const facts: (() => Promise<void>)[] = [
    () => mailSubscription(begun),
    () => mailInvoice(failed),
    () => mailInvoice(paid),
    () => change(begun, canceled).then(() => undefined),
    () => change(canceled, ended).then(() => undefined),
  ];
  for (const fact of facts) await Promise.all(Array.from({ length: 20 }, fact));
  for (const fact of facts) await fact();
  expect((await subjects(email)).map((subject) => subject.replace(/ on .*/, ""))).toEqual([
    "Peony: Your trial has started and ends",
    "Peony: A payment did not go through",
    "Peony: Receipt",
    "Peony: Your cancellation is confirmed",
    "Peony: Your subscription has ended",
  ]);
});

test("canceling, keeping and canceling again each send an email", async () => {
  const { subscription, email } = await begin();
  const cancellation = { cancelAtPeriodEnd: true, nextAmount: 0 };
  const first = await change(subscription, { ...cancellation, canceledAt: inDays(-0.1) });
  expect((await newest(email)).text).toContain("You will not be charged again");
  const renewal = { cancelAtPeriodEnd: false, canceledAt: null, nextAmount: 1499 };
  const kept = await change(first, renewal);
  const { text } = await newest(email);
  expect(text).toContain(`Next charge: $14.99 on ${formatDate(inDays(30))}`);
  expect(text).toContain("cancel your subscription http");
  await Promise.all(Array.from({ length: 20 }, () => mailSubscription(kept, first)));
  await change(kept, { cancelAtPeriodEnd: true, canceledAt: inDays(0) });
  expect(await subjects(email)).toEqual([
    "Peony: Your cancellation is confirmed",
    "Peony: Your subscription continues",
    "Peony: Your cancellation is confirmed",
  ]);
});

test("a trial that is kept is confirmed with the day until which it is free", async () => {
  const trial = { status: "trialing", trialStart: inDays(-1), trialEnd: inDays(6) } as const;
  const { subscription, email } = await begin({ ...trial, currentPeriodEnd: inDays(6) });
  await mailSubscription(subscription);
  const canceled = await change(subscription, { cancelAtPeriodEnd: true, canceledAt: inDays(0) });
  await change(canceled, { cancelAtPeriodEnd: false, canceledAt: null, nextAmount: 1499 });
  const { subject, text } = await newest(email);
  expect(subject).toBe("Peony: Your subscription continues");
  const ends = formatDate(inDays(6));
  expect(text).toContain(`First charge: $14.99 on ${ends}`);
  expect(text).toContain(`Your subscription starts automatically on ${ends}`);
});

test("the email about a cancellation names the day on which the account says that it ends", async () => {
  const { subscription, email } = await begin();
  await change(subscription, { cancelAtPeriodEnd: true, cancelAt: inDays(60), canceledAt: inDays(0) });
  expect((await newest(email)).text).toContain(`It ends on ${formatDate(inDays(30))}`);
});

test("an overdue subscription that is canceled to its end still owes its payment, and the email says so", async () => {
  const cancellation = { cancelAtPeriodEnd: true, canceledAt: inDays(0) };
  const overdue = await begin({ status: "past_due" });
  await change(overdue.subscription, cancellation);
  const { text } = await newest(overdue.email);
  const end = formatDate(overdue.subscription.currentPeriodEnd);
  expect(text).toContain(
    `It ends on ${end}. Its last payment is still due and may be collected until then. To end it now without another charge, cancel it with the link below.`,
  );
  expect(text).toContain("cancel your subscription http");
  for (const words of ["You will not be charged again", "change your mind", "Keep my subscription"])
    expect(text).not.toContain(words);

  const byBank = await begin({ status: "past_due", isPaymentPending: true });
  await change(byBank.subscription, cancellation);
  expect((await newest(byBank.email)).text).toContain(
    "may be collected until then. To end it now, cancel it with the link below.",
  );
});

test.each<[string, Partial<Subscription>]>([
  [
    "an overdue subscription, whose invoice is no longer collected",
    { status: "past_due", cancelAtPeriodEnd: true },
  ],
  ["a trial without a payment method", { status: "trialing", trialEndWithoutCard: "cancel" }],
])("the email about the end of %s says that there are no more charges", async (_, given) => {
  const endedAt = inDays(-0.1);
  const { subscription, email } = await begin({ ...given, currentPeriodEnd: endedAt });
  await change(subscription, { status: "canceled", trialEndWithoutCard: null, endedAt });
  const { subject, text } = await newest(email);
  expect(subject).toBe("Peony: Your subscription has ended");
  expect(text).toContain(`ended on ${formatDate(endedAt)}. You will not be charged`);
});

test("a last charge that is not paid is emailed after the end, and so is its payment, both without a way to cancel what has ended", async () => {
  const endedAt = inDays(-0.1);
  const ended = { status: "canceled", cancelAtPeriodEnd: true, currentPeriodEnd: endedAt, endedAt } as const;
  const unpaid = { status: "open", attempts: 1, amountPaid: 0, amountRemaining: 750 } as const;
  const { subscription, email } = await begin(ended);
  await mailInvoice(await bill(subscription, { ...unpaid, createdAt: inDays(-0.2) }));
  expect(await subjects(email)).toEqual([]);
  await mailInvoice(await bill(subscription, { ...unpaid, createdAt: endedAt }));
  expect(await subjects(email)).toEqual(["Peony: A payment did not go through"]);
  const { text } = await newest(email);
  for (const words of ["$7.50", "has ended", "Pay now", "see the status of your subscription"])
    expect(text).toContain(words);
  for (const words of [
    "cancel it with the link below",
    "cancel your subscription",
    "change your payment method",
  ])
    expect(text).not.toContain(words);
  await mailInvoice(await bill(subscription, { total: 750, amountPaid: 750, createdAt: endedAt }));
  const receipt = await newest(email);
  expect(receipt.subject).toBe("Peony: Receipt");
  expect(receipt.text).toContain("see the status of your subscription");
});

test("the email about a failed payment promises the access that there is, and names no card", async () => {
  const { graceDays } = config.billing;
  onTestFinished(() => {
    config.billing.graceDays = graceDays;
  });
  config.billing.graceDays = 3;
  const textOf = async (given: Partial<Subscription>) => {
    const { subscription, email } = await begin(given);
    const unpaid = { status: "open", attempts: 1, amountPaid: 0, amountRemaining: 700 } as const;
    await mailInvoice(await bill(subscription, { ...unpaid, nextAttemptAt: inDays(2) }));
    return (await newest(email)).text;
  };
  const renewed = await textOf({ status: "past_due" });
  expect(renewed).toContain(`You keep your access until ${formatDate(inDays(3))}`);
  expect(renewed).toContain("We will try the payment again on ");
  expect(renewed).not.toContain("card");
  // A change of plan is billed within the period, whose first day decides.
  const changed = await textOf({ status: "past_due", currentPeriodStart: inDays(-10) });
  expect(changed).toContain("Your access is paused until the payment goes through.");
  expect(await textOf({ status: "unpaid" })).toContain("Your access is paused");
  expect(await textOf({ status: "active" })).not.toMatch(/your access/i);
});

test("a trial of a week is one email with both dates, and its reminder does not follow a minute later", async () => {
  const trial = { status: "trialing", trialStart: inDays(0), trialEnd: inDays(7) } as const;
  const { subscription, email } = await begin({ ...trial, currentPeriodEnd: inDays(7) });
  await mailSubscription(subscription);
  for (const days of [0, 1, 6]) await sendDueMails(inDays(days));
  expect(await subjects(email)).toHaveLength(1);
  expect((await newest(email)).text).toContain("Your trial of 7 days has started");
});

test("an old fact is not emailed, except a payment that follows the email about its failure", async () => {
  const old = { created: inDays(-40), currentPeriodStart: inDays(-10) };
  const { subscription, email } = await begin(old);
  await mailSubscription(subscription);
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

test("a bank transfer that arrives after days is emailed when it arrives, and so is its return", async () => {
  const late = { createdAt: inDays(-9), paidAt: inDays(0) };
  const due = { createdAt: inDays(-9), status: "open", attempts: 1, amountPaid: 0 } as const;
  const renewed = { created: inDays(-40), currentPeriodStart: inDays(-9) };
  const mailsAbout = async (given: Partial<Subscription>, billed: Partial<Invoice>) => {
    const { subscription, email } = await begin(given);
    const invoice = await bill(subscription, billed);
    await mailSubscription(subscription);
    await mailInvoice(invoice);
    return { subscription, invoice, subjects: () => subjects(email) };
  };
  const first = await mailsAbout({ created: inDays(-9) }, late);
  expect(await first.subjects()).toEqual(["Peony: Receipt for your new subscription"]);
  expect(await (await mailsAbout(renewed, late)).subjects()).toEqual(["Peony: Receipt"]);
  expect(await (await mailsAbout(renewed, { ...late, paidAt: inDays(-4) })).subjects()).toEqual([]);
  expect(await (await mailsAbout({ ...renewed, status: "past_due" }, due)).subjects()).toEqual([]);

  const over = { ...renewed, status: "canceled", cancelAtPeriodEnd: true, endedAt: inDays(-9) } as const;
  const last = await mailsAbout({ ...over, isPaymentPending: true }, { ...due, createdAt: over.endedAt });
  expect(await last.subjects()).toEqual([]);
  await change(last.subscription, { isPaymentPending: false });
  await mailInvoice(last.invoice);
  expect(await last.subjects()).toEqual(["Peony: A payment did not go through"]);

  const fresh = { ...due, createdAt: inDays(0) };
  for (const billed of [fresh, due]) {
    const onItsWay = await mailsAbout({ ...renewed, isPaymentPending: true }, billed);
    expect(await onItsWay.subjects()).toEqual([]);
    await change(onItsWay.subscription, { status: "past_due", isPaymentPending: false });
    await mailInvoice(onItsWay.invoice);
    expect(await onItsWay.subjects()).toEqual(["Peony: A payment did not go through"]);
  }
});

test.each([
  ["canceled", "Peony: Your cancellation is confirmed", "before its first payment was completed"],
  ["incomplete_expired", "Peony: Your subscription has not started", "was not completed in time"],
] as const)("an unpaid start sends no email, and its end, %s, sends one", async (status, subject, why) => {
  const { subscription, email } = await begin({ status: "incomplete", hasBegun: false });
  await mailSubscription(subscription);
  await mailInvoice(
    await bill(subscription, { status: "open", attempts: 1, amountPaid: 0, amountRemaining: 1499 }),
  );
  expect(await subjects(email)).toEqual([]);
  const after = await change(subscription, { status, endedAt: inDays(0) });
  await mailSubscription(after);
  expect(await subjects(email)).toEqual([subject]);
  const { text } = await newest(email);
  expect(text).toContain(why);
  expect(text).toContain("You have not paid anything.");
  const long = await begin({ status, hasBegun: false, endedAt: inDays(-4) });
  await mailSubscription(long.subscription);
  expect(await subjects(long.email)).toEqual([]);
});

test("subjects and emails do not mention the site's content", () => expectDiscreetMails(11));
