import { desc, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { createMember, signedInCookie } from "#tests/support/people.ts";

const DAY = 86_400;
const shop = await startPaidSite({ env: { BILLING_TAX: "on" } });
const { control, site, stripe } = shop;
afterAll(() => shop.stop());

async function read(path: string, cookie: string): Promise<string> {
  const answer = await site.fetch(path, { headers: { cookie } });
  return (await answer.text()).replaceAll(/<!-- -->|<script.*?<\/script>/gs, "");
}

test("with tax, the next charge and past payments include it, less the credit", async () => {
  const member = await createMember();
  const cookie = await signedInCookie(member.id);
  const offer = await read("/subscribe", cookie);
  const box = `consent-${shop.monthly.id}`;
  const [field = ""] = new RegExp(`<input[^>]*name="${box}"[^>]*>`).exec(offer) ?? [];
  const body = new URLSearchParams({
    plan: shop.monthly.id,
    [box]: /value="([0-9a-f]{64})"/.exec(field)?.[1] ?? "",
  });
  const headers = { cookie, origin: site.origin };
  const answer = await site.fetch("/subscribe", { method: "POST", headers, body });
  await submit(answer.headers.get("location"), { card: "4242" });
  await shop.settled();

  const newestMail = async () => {
    const mails = db.select().from(mailOutbox).where(eq(mailOutbox.to, member.email));
    return (await mails.orderBy(desc(mailOutbox.createdAt)).limit(1))[0]?.text ?? "";
  };
  const bought = await newestMail();
  expect(bought).toContain("$16.49");
  expect(bought).toContain("including discounts, credit and tax");
  const account = () => read("/user/account", cookie);
  expect(await account()).toMatch(/<dd>\$16\.49 on [\w ]+, including discounts, credit and tax<\/dd>/);

  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.userId, member.id));
  const { customer } = await stripe.subscriptions.retrieve(row?.id ?? "");
  await stripe.customers.update(String(customer), { balance: -500 });
  await shop.settled();
  expect(await account()).toMatch(/<dd>\$11\.49 on [\w ]+, including discounts, credit and tax<\/dd>/);
  await control.advance(32 * DAY);
  await shop.settled();
  const paid = await db
    .select({ total: invoices.total, amountPaid: invoices.amountPaid })
    .from(invoices)
    .where(eq(invoices.userId, member.id))
    .orderBy(desc(invoices.createdAt));
  expect(paid).toEqual([
    { total: 1649, amountPaid: 1149 },
    { total: 1649, amountPaid: 1649 },
  ]);
  expect(await newestMail()).toContain("$11.49");
  expect(await account()).toMatch(/<dd>\$16\.49 on [\w ]+, including discounts, credit and tax<\/dd>/);
}, 60_000);
