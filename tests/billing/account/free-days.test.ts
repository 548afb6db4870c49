import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { formatDate } from "#app/dates.ts";
import { sendDueMails } from "#app/domain/billing/mails/reminder-mails.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";

const DAY = 86_400;

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const mailsTo = ({ email }: Payer) =>
  db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(mailOutbox.createdAt);
const pageOf = async ({ cookie }: Payer, path: string) =>
  (await (await shop.site.fetch(path, { headers: { cookie } })).text()).replaceAll("<!-- -->", "");

/** Moves the end of the trial, as a host does in the dashboard to give time away. */
async function giveDays(id: string, days: number): Promise<string> {
  const end = control.now() + days * DAY;
  await stripe.subscriptions.update(id, { trial_end: end, proration_behavior: "none" });
  await shop.settled();
  return formatDate(new Date(end * 1000));
}

test.each<[string, (payer: Payer) => Promise<string>]>([
  [
    "after a purchase",
    async (payer) => {
      const id = await shop.buy(payer);
      // Free days of the second of the purchase would be its trial.
      await control.advance(60);
      return id;
    },
  ],
  [
    "after a trial and its first payment",
    async (payer) => {
      const id = await shop.buy(payer, { trialDays: 1 });
      await control.advance(2 * DAY);
      return id;
    },
  ],
])(
  "free days given to somebody who has paid are no trial: %s",
  async (_, buy) => {
    const payer = await shop.createPayer();
    const id = await buy(payer);
    await shop.settled();
    // Within the week of the reminder, which goes by the real clock.
    const until = await giveDays(id, 4);
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("trialing");
    const account = await pageOf(payer, paths.account());
    expect(account).toContain(`Your subscription is active and free until ${until} and then renews.`);
    expect(account).toContain(`$14.99 on ${until}`);
    expect(account).not.toMatch(/cancel trial|your trial/i);
    expect(await pageOf(payer, paths.accountAction("subscription"))).not.toMatch(/\btrial\b/i);

    const before = (await mailsTo(payer)).length;
    await sendDueMails();
    const reminders = (await mailsTo(payer)).slice(before);
    expect(reminders.map(({ subject }) => subject)).toEqual([`Peony: Your free days end on ${until}`]);
    expect(reminders[0]?.text).toContain("Your subscription renews automatically on that day.");
    expect(reminders[0]?.text).toMatch(/Next charge:?\s+\$14\.99/);

    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    await shop.settled();
    const cancelled = (await mailsTo(payer)).at(-1);
    expect(cancelled?.text).toContain("Your subscription is canceled.");
    expect(cancelled?.text).toContain("You will not be charged again.");
    expect([...reminders, cancelled].map((mail) => mail?.text).join()).not.toMatch(/your trial/i);
  },
  60_000,
);

test("a trial that the host lengthens before the first payment stays a trial", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, { trialDays: 7 });
  await shop.settled();
  const until = await giveDays(id, 20);
  const account = await pageOf(payer, paths.account());
  expect(account).toContain(`Your trial lasts until ${until}, and your subscription starts then.`);
  expect(account).toContain("Cancel trial");
}, 60_000);

test("a trial that costs something is a trial too, even if the host lengthens it, until its first period is paid", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer, { trialDays: 7 });
  await shop.settled();
  // "$1 for 7 days": the first invoice has a price of its own, for the days of the trial.
  await db.update(invoices).set({ total: 100, amountPaid: 100 }).where(eq(invoices.subscriptionId, id));
  expect(await pageOf(payer, paths.account())).toMatch(/Your trial lasts until .*Cancel trial/s);
  const until = await giveDays(id, 20);
  await db.update(invoices).set({ total: 100, amountPaid: 100 }).where(eq(invoices.subscriptionId, id));
  expect(await pageOf(payer, paths.account())).toContain(`Your trial lasts until ${until}`);
  await control.advance(21 * DAY);
  await shop.settled();
  const free = await giveDays(id, 4);
  expect(await pageOf(payer, paths.account())).toContain(
    `Your subscription is active and free until ${free}`,
  );
}, 60_000);
