import { desc, eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { subscriptions } from "#db/schema/billing.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { startPaidSite } from "./paid-site.ts";
import { submit } from "./stand-in-site.ts";

const DAY = 86_400;
const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id))).at(0);

test("what is cancelled on the provider's own page is cancelled here, told by mail, and can be kept here", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  const portal = await stripe.billingPortal.sessions.create({ customer: payer.customerId });
  await submit(portal.url, { intent: "cancel", subscription: id });
  await shop.settled();
  expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ cancel_at_period_end: false });
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: true });
  const mails = db.select().from(mailOutbox).where(eq(mailOutbox.to, payer.email));
  expect((await mails.orderBy(desc(mailOutbox.createdAt))).at(0)?.subject).toContain("cancellation");

  const kept = await shop.site.fetch("/user/account/subscription", {
    method: "POST",
    body: new URLSearchParams({ intent: "keep" }),
    headers: { cookie: payer.cookie, origin: shop.site.origin },
  });
  expect(kept.status).toBe(303);
  expect((await stripe.subscriptions.retrieve(id)).cancel_at).toBeNull();
  expect(await rowOf(id)).toMatchObject({ status: "active", cancelAtPeriodEnd: false });
}, 60_000);

test("a payment of a former plan that is paid back leaves the plan that was paid after it", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await control.advance(3 * DAY);
  const [first] = (await stripe.charges.list({ customer: payer.customerId })).data;
  const [item] = (await stripe.subscriptions.retrieve(id)).items.data;
  await stripe.subscriptions.update(id, { items: [{ id: item?.id, price: shop.yearly.id }] });
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "active", priceId: shop.yearly.id });
  control.refund(first?.id ?? "");
  await shop.settled();
  expect(await rowOf(id)).toMatchObject({ status: "active", priceId: shop.yearly.id });
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
}, 60_000);
