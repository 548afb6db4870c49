import { eq, sql } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { deleteAccount, deleteDueAccounts } from "#app/domain/account/delete-account.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { startPaidSite } from "#tests/support/billing/paid-site.ts";
import { purchaseOf } from "#tests/support/billing/shop.ts";
import { submit } from "#tests/support/billing/stand-in-site.ts";
import { letDeletionFallDue } from "#tests/support/people.ts";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

const remove = ({ cookie }: { cookie: string }) =>
  shop.site.fetch("/user/account", {
    method: "POST",
    headers: { cookie, origin: shop.site.origin },
    body: new URLSearchParams({ intent: "delete", confirm: "yes" }),
  });

test("a deleted account's customer is deleted at the provider, too, where payments can still be looked up", async () => {
  const payer = await shop.createPayer();
  const id = await shop.buy(payer);
  await shop.settled();
  expect((await remove(payer)).status).toBe(303);
  await shop.settled();
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  expect(await stripe.customers.retrieve(payer.customerId)).not.toHaveProperty("deleted");
  await letDeletionFallDue(payer.id);
  await deleteDueAccounts();
  await shop.settled();
  expect(await stripe.customers.retrieve(payer.customerId)).toMatchObject({ deleted: true });
  expect((await stripe.customers.list({ email: payer.email })).data).toEqual([]);
  expect((await stripe.subscriptions.retrieve(id)).status).toBe("canceled");
  expect((await stripe.invoices.list({ subscription: id })).data).toMatchObject([{ status: "paid" }]);
  expect(await db.$count(customers, eq(customers.userId, payer.id))).toBe(0);
});

test("a page whose process died before storing it is closed with the account", async () => {
  const payer = await shop.createPayer();
  const start = await startCheckout(await purchaseOf(payer, shop.monthly.id));
  if (start.kind !== "page") throw new Error("There is no page");
  await db
    .update(checkouts)
    .set({ providerCheckoutId: null, url: null })
    .where(eq(checkouts.userId, payer.id));
  expect((await remove(payer)).status).toBe(303);
  await shop.settled();
  expect((await stripe.checkout.sessions.list({ customer: payer.customerId })).data).toMatchObject([
    { status: "expired" },
  ]);
  expect((await submit(start.url, { card: "4242" })).status).toBe(410);
});

test("while the provider is unreachable the account is deleted, and the rest follows; repeating it changes nothing", async () => {
  const payer = await shop.createPayer();
  control.failNext({ status: 500, times: 3 });
  await letDeletionFallDue(payer.id);
  expect(await deleteAccount(payer.id)).toBe("deleted");
  await shop.settled();
  const again = () =>
    db.execute(sql`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE attempts > 0 RETURNING id`);
  expect(await again()).toHaveLength(1);
  expect(await stripe.customers.retrieve(payer.customerId)).not.toHaveProperty("deleted");
  for (let left = 3; left > 0 && (await again()).length > 0; left -= 1) await shop.settled();
  expect(await stripe.customers.retrieve(payer.customerId)).toMatchObject({ deleted: true });
  expect(await again()).toHaveLength(0);
});
