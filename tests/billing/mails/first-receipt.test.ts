import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { type Payer, startPaidSite } from "#tests/support/billing/paid-site.ts";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const mailsTo = ({ email }: Payer) =>
  db
    .select({ subject: mailOutbox.subject, text: mailOutbox.text })
    .from(mailOutbox)
    .where(eq(mailOutbox.to, email))
    .orderBy(mailOutbox.createdAt);
const subjectsTo = async (payer: Payer) => (await mailsTo(payer)).map(({ subject }) => subject).sort();
const statusOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0]?.status;

/** Makes a purchase and changes it before this site receives any event. */
async function buyUnheard(andThen: (id: string) => Promise<unknown>): Promise<{ payer: Payer; id: string }> {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "hold" });
  const id = await shop.buy(payer);
  await andThen(id);
  control.webhooks({});
  control.flush();
  await shop.settled();
  return { payer, id };
}

test("the first receipt of a canceled subscription says so, and names no next charge", async () => {
  const { payer, id } = await buyUnheard((id) =>
    stripe.subscriptions.update(id, { cancel_at_period_end: true }),
  );
  expect(await statusOf(id)).toBe("active");
  expect(await subjectsTo(payer)).toEqual([
    "Peony: Receipt for your new subscription",
    "Peony: Your cancellation is confirmed",
  ]);
  const receipt = (await mailsTo(payer)).find(({ subject }) => subject.includes("Receipt"));
  expect(receipt?.text).toContain("$14.99");
  expect(receipt?.text).toContain("Your subscription is already canceled");
  expect(receipt?.text).not.toContain("The next charge is");
});

test("the first receipt of an ended subscription is only a receipt, without a welcome", async () => {
  const { payer, id } = await buyUnheard((id) => stripe.subscriptions.cancel(id));
  expect(await statusOf(id)).toBe("canceled");
  const mails = await mailsTo(payer);
  const receipt = mails.find(({ subject }) => subject === "Peony: Receipt");
  expect(receipt?.text).toContain("$14.99");
  expect(receipt?.text).not.toMatch(/The next charge is|has started/);
  expect(mails.map(({ subject }) => subject).filter((subject) => subject.includes("begun"))).toEqual([]);
});

test("the first receipt of a running subscription names the next charge", async () => {
  const { payer } = await buyUnheard(async () => {});
  const [receipt, ...others] = await mailsTo(payer);
  expect(others).toEqual([]);
  expect(receipt?.text).toMatch(/The next charge is \$14\.99 on/);
});
