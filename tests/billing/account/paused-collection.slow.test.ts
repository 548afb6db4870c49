import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { formatDate } from "#app/dates.ts";
import { countUncollected } from "#app/domain/billing/subscriptions/subscription-state.server.ts";
import { db } from "#db/client.server.ts";
import { billingEvents } from "#db/schema/billing-events.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";
import { runBillingScript } from "#tests/support/billing/run-script.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { mailsTo, subjects } from "#tests/support/billing/stored-subscription.ts";

const DAY = 86_400;
const PAUSED = "Peony: Payments for your subscription are paused";
const shop = await startPaidSite();
const { control, site, standIn, stripe } = shop;
afterAll(() => shop.stop());

async function read(path: string, { cookie }: Payer): Promise<string> {
  const answer = await site.fetch(path, { headers: { cookie } });
  return (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
}

const account = (payer: Payer) => read("/user/account", payer);
const nextCharge = (page: string) => /Next charge<\/dt><dd[^>]*>(.*?)<\/dd>/s.exec(page)?.[1];
const rowOf = async ({ id }: Payer) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.userId, id)))[0];

async function buy() {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  return { payer, id };
}

test.each(["void", "keep_as_draft", "mark_uncollectible"] as const)(
  "while payments are paused (%s), access continues and nothing is announced or charged; an email announces the end of the pause with the next charge",
  async (behavior) => {
    const { payer, id } = await buy();
    expect(nextCharge(await account(payer))).toMatch(/^\$14\.99 on /);
    await stripe.subscriptions.update(id, { pause_collection: { behavior } });
    await shop.settled();
    expect(await rowOf(payer)).toMatchObject({
      status: "active",
      collectionPause: behavior,
      nextAmount: null,
    });
    const expectPaused = async () => {
      const page = await account(payer);
      expect(page).toContain(
        "You have access to everything. Your subscription is active. Payments are paused, so you will not be charged for now.",
      );
      expect(page.includes("Invoices for this time are kept")).toBe(behavior === "keep_as_draft");
      expect(page).not.toContain("renews");
      expect(nextCharge(page)).toBe("None");
      expect(await read("/subscribe", payer)).toContain("You are subscribed");
    };
    await expectPaused();

    // Two renewals pass without a charge.
    for (const _ of ["first", "second"]) {
      await control.advance(31 * DAY);
      await shop.settled();
      await expectPaused();
    }
    expect((await stripe.charges.list({ customer: payer.customerId })).data).toHaveLength(1);
    expect(await subjects(payer.email)).toEqual(["Peony: Receipt for your new subscription", PAUSED]);

    await stripe.subscriptions.update(id, { pause_collection: "" });
    await shop.settled();
    const due = formatDate((await rowOf(payer))?.currentPeriodEnd ?? new Date());
    const page = await account(payer);
    expect(page).toContain(`Your subscription is active until ${due} and then renews.`);
    expect(nextCharge(page)).toBe(`$14.99 on ${due}`);
    const resumed = (await mailsTo(payer.email)).at(-1);
    expect(resumed?.subject).toBe(`Peony: Payments for your subscription resume on ${due}`);
    expect(resumed?.text).toContain(`$14.99 on ${due}`);
    await control.advance(31 * DAY);
    await shop.settled();
    expect((await stripe.charges.list({ customer: payer.customerId })).data).toHaveLength(2);
    const paid = await db.select().from(invoices).where(eq(invoices.userId, payer.id));
    expect(paid.filter(({ status }) => status === "paid")).toHaveLength(2);
  },
  60_000,
);

test("a pause with an end names its day, changes nothing for a later charge, and is emailed once for each end", async () => {
  const { payer, id } = await buy();
  const end = (await rowOf(payer))?.currentPeriodEnd ?? new Date();
  const inDays = (days: number) => new Date(end.getTime() + days * DAY * 1000);
  const pause = async (until: Date) => {
    const resumes_at = Math.floor(until.getTime() / 1000);
    await stripe.subscriptions.update(id, { pause_collection: { behavior: "void", resumes_at } });
    await shop.settled();
  };
  await pause(inDays(-3));
  expect(await account(payer)).toContain("then renews");
  expect(await subjects(payer.email)).not.toContain(PAUSED);

  await pause(inDays(10));
  const until = formatDate(inDays(10));
  expect(await account(payer)).toContain(
    `Payments are paused until ${until}, so you will not be charged before that day.`,
  );
  await pause(inDays(20));
  expect((await subjects(payer.email)).filter((subject) => subject === PAUSED)).toHaveLength(2);
  expect((await mailsTo(payer.email)).at(-1)?.text).toContain(formatDate(inDays(20)));

  // The next period ends after the pause, so its charge is announced at once.
  await control.advance(31 * DAY);
  await shop.settled();
  const due = formatDate((await rowOf(payer))?.currentPeriodEnd ?? new Date());
  expect(nextCharge(await account(payer))).toBe(`$14.99 on ${due}`);
  expect((await mailsTo(payer.email)).at(-1)?.text).toContain(`$14.99 on ${due}`);
}, 60_000);

test("the log, every reconcile and the doctor tell the host about it, and members can cancel meanwhile", async () => {
  const { payer, id } = await buy();
  const before = await countUncollected();
  // The stand-in's own page, as a host would press it at the provider.
  await submit(standIn.origin, { intent: `pause ${id} 0` });
  await shop.settled();
  const events = await db.select().from(billingEvents).where(eq(billingEvents.subjectId, id));
  expect(events.map(({ outcome }) => outcome)).toContain("uncollected");
  expect(await countUncollected()).toEqual({ all: before.all + 1, endless: before.endless + 1 });
  for (const _ of ["first", "second"]) {
    const { lines } = await runBillingScript("billing-reconcile", standIn, ["--dry-run"]);
    expect(lines).toContain(`user ${payer.id}  uncollected  subscription ${id}`);
  }
  const answer = await site.fetch("/user/account/subscription", {
    method: "POST",
    headers: { cookie: payer.cookie, origin: site.origin },
    body: new URLSearchParams({ intent: "cancel" }),
  });
  expect(answer.status).toBe(303);
  await shop.settled();
  expect(await rowOf(payer)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  expect(await countUncollected()).toEqual(before);
  expect(await account(payer)).toContain("and then ends.");
}, 60_000);

test("a cancellation within the period ends on its own day, in the sentence and in the access", async () => {
  const { payer, id } = await buy();
  const end = (await rowOf(payer))?.currentPeriodEnd.getTime() ?? 0;
  const day = new Date(end - 9 * DAY * 1000);
  await stripe.subscriptions.update(id, { cancel_at: Math.floor(day.getTime() / 1000) });
  await shop.settled();
  expect(await account(payer)).toContain(`is active until ${formatDate(day)} and then ends.`);
  const later = new Date(end + 40 * DAY * 1000);
  await stripe.subscriptions.update(id, { cancel_at: Math.floor(later.getTime() / 1000) });
  await shop.settled();
  expect(await account(payer)).toContain(`and then renews. It ends on ${formatDate(later)}.`);
});
