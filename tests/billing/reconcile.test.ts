import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { refreshCustomer, refreshSubscription } from "#app/domain/billing/reconcile.server.ts";
import { db } from "#db/client.server.ts";
import { customers, invoices, subscriptions } from "#db/schema/billing.ts";
import { createMember } from "#tests/support/people.ts";
import { startPaidSite } from "./paid-site.ts";

const shop = await startPaidSite();
const { control, stripe } = shop;
afterAll(() => shop.stop());

test("of whom nobody has told us anything, all is known once it is asked for", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  const changes = await refreshCustomer(payer.id);
  expect(changes).toMatchObject([
    { kind: "subscription", id, what: "new" },
    { kind: "invoice", what: "new" },
    { kind: "customer", id: payer.customerId, what: "changed" },
  ]);
  expect((await refreshCustomer(payer.id))?.map(({ what }) => what)).toEqual(["same", "same", "same"]);
  const [known] = await db.select().from(customers).where(eq(customers.userId, payer.id));
  expect(known?.reconciledAt).toBeInstanceOf(Date);
});

test("one subscription alone can be asked for, and one that the provider does not know ends", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  expect(await refreshSubscription(id)).toEqual([{ kind: "subscription", id, what: "new" }]);
  await stripe.subscriptions.cancel(id);
  expect(await refreshSubscription(id)).toEqual([{ kind: "subscription", id, what: "changed" }]);
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  if (!row) throw new Error("It was not stored");
  await db.insert(subscriptions).values({ ...row, id: "sub_of_nobody", status: "active" });
  expect(await refreshSubscription("sub_of_nobody")).toMatchObject([{ what: "ended" }]);
});

test("who has the money of the running period back has no subscription, who has a part of it back keeps it", async () => {
  const payer = await shop.createPayer();
  control.webhooks({ mode: "drop" });
  const id = await shop.buy(payer);
  const [charge] = (await stripe.charges.list({ customer: payer.customerId })).data;
  await stripe.refunds.create({ charge: charge?.id, amount: 500 });
  await refreshCustomer(payer.id);
  const state = async () => {
    const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
    const [invoice] = await db.select().from(invoices).where(eq(invoices.subscriptionId, id));
    return [subscription?.status, invoice?.amountRefunded];
  };
  expect(await state()).toEqual(["active", 500]);
  await stripe.refunds.create({ charge: charge?.id });
  await refreshCustomer(payer.id);
  expect(await state()).toEqual(["canceled", 1499]);
});

test("who has bought nothing is not asked about", async () => {
  expect(await refreshCustomer((await createMember()).id)).toBeNull();
});
