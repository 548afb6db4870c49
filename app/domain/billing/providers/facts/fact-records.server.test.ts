import { eq } from "drizzle-orm";
import { beforeAll, expect, test } from "vitest";
import { db } from "#db/client.server.ts";
import { billingFacts } from "#db/schema/billing-events.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { invoices } from "#db/schema/invoices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { inDays, prepareOffer } from "#tests/support/billing/stored-subscription.ts";
import { createMember } from "#tests/support/people.ts";
import { storeEvent } from "../../events/receive-event.server.ts";
import { deleteFacts, listFacts } from "../../subscriptions/own-facts.server.ts";
import { fetchForEvent } from "../../sync/fetch-for-event.server.ts";
import { writeSnapshot } from "../../sync/write-snapshot.server.ts";
import { type Fact, ourId, type ToldFact, theirId } from "../contract/facts.ts";
import type { BillingProvider } from "../contract/provider.ts";
import { factRecords } from "./fact-records.server.ts";
import { storeFacts } from "./stored-facts.server.ts";

const PROVIDER = "bare";
const records = factRecords(PROVIDER);
/** Nothing here calls it. */
const provider = { name: PROVIDER, ...records } as BillingProvider;
const MONTHLY = { amount: 1499, interval: "month", intervalCount: 1 } as const;

beforeAll(prepareOffer);

let count = 0;

async function buy(amount: number = MONTHLY.amount) {
  const { id: userId } = await createMember();
  const providerCustomerId = await records.createCustomer({ userId, email: "", key: "" });
  await db.insert(customers).values({ userId, provider: PROVIDER, providerCustomerId });
  const terms = {
    priceId: "monthly",
    currency: "usd",
    unitAmount: 1499,
    interval: "month",
    intervalCount: 1,
  } as const;
  const consent = { consentText: "I subscribe", consentHash: "hash" };
  const [checkout] = await db
    .insert(checkouts)
    .values({ userId, provider: PROVIDER, url: "https://pay.example/1", ...terms, ...consent })
    .returning();
  count += 1;
  const subscriptionId = ourId(PROVIDER, `0${count}`);
  const first = { ...MONTHLY, amount };
  const sale: Fact = {
    kind: "sale",
    checkoutId: checkout?.id ?? "",
    subscriptionId,
    transactionId: ourId(PROVIDER, `t${count}`),
    paid: { amount, currency: "usd" },
    terms: { currency: "usd", first, renewal: first },
    paidUntil: inDays(30),
    method: { brand: "visa", last4: "4242", expMonth: 4, expYear: 2030, fingerprint: "same" },
  };
  return { userId, checkoutId: checkout?.id ?? "", subscriptionId, sale };
}

const toldOf = (fact: Fact, id: string, days = 0): ToldFact => ({ ...fact, id, at: inDays(days) });

async function receive(id: string, subscriptionId: string, facts: ToldFact[]) {
  const about = { subject: "facts", subjectId: subscriptionId, customerId: null, createdAt: new Date() };
  await storeEvent({ id, provider: PROVIDER, type: "of.a.kind", ...about }, facts);
  const snapshot = await fetchForEvent(provider, { kind: "facts", id: subscriptionId });
  return db.transaction((tx) => writeSnapshot(tx, snapshot));
}

const rowOf = async (id: string) =>
  (await db.select().from(subscriptions).where(eq(subscriptions.id, id)))[0];

test("a sale is stored with its event and, if its terms are those of the purchase, gives a subscription", async () => {
  const { userId, checkoutId, subscriptionId, sale } = await buy();
  expect(await records.readCheckout(checkoutId)).toMatchObject({
    status: "open",
    url: "https://pay.example/1",
  });
  await receive("evt-sale", subscriptionId, [toldOf(sale, "sale-1")]);
  expect(await rowOf(subscriptionId)).toMatchObject({ userId, provider: PROVIDER, status: "active" });
  const [checkout] = await db.select().from(checkouts).where(eq(checkouts.id, checkoutId));
  expect(checkout).toMatchObject({ status: "completed", subscriptionId });
  const bills = await db.select().from(invoices).where(eq(invoices.userId, userId));
  expect(bills).toMatchObject([{ status: "paid", amountPaid: 1499, subscriptionId }]);
  // The same event again, and the end that the next one tells of.
  await receive("evt-sale", subscriptionId, [toldOf(sale, "sale-1")]);
  const [bill] = bills;
  const amount = { amount: 1499, currency: "usd" };
  const chargeback: Fact = {
    kind: "returned",
    subscriptionId,
    transactionId: bill?.id ?? "",
    amount,
    how: "chargeback",
  };
  await receive("evt-back", subscriptionId, [toldOf(chargeback, "back-1")]);
  expect(await rowOf(subscriptionId)).toMatchObject({ status: "canceled" });
  const [after] = await db.select().from(invoices).where(eq(invoices.userId, userId));
  expect(after).toMatchObject({ amountRefunded: 0, amountDisputed: 1499 });
});

test("a sale with other terms is a mismatch, and one of no purchase is nobody's", async () => {
  const { subscriptionId, sale } = await buy(1);
  const mismatch = { kind: "subscription", id: subscriptionId, what: "mismatch" };
  expect(await receive("evt-cheap", subscriptionId, [toldOf(sale, "sale-cheap")])).toContainEqual(mismatch);
  expect(await rowOf(subscriptionId)).toBeUndefined();
  const stray = ourId(PROVIDER, "stray");
  const fact = { ...sale, subscriptionId: stray, checkoutId: "not-a-purchase" } as Fact;
  const nobodys = { kind: "subscription", id: stray, what: "otherSite" };
  expect(await receive("evt-stray", stray, [toldOf(fact, "sale-stray")])).toContainEqual(nobodys);
});

test("a person's facts are exported and deleted, and nobody else's", async () => {
  const [mine, theirs] = [await buy(), await buy()];
  await storeFacts(PROVIDER, [toldOf(mine.sale, "mine"), toldOf(theirs.sale, "theirs")]);
  const later = { kind: "expired", subscriptionId: mine.subscriptionId } as const;
  await storeFacts(PROVIDER, [toldOf(later, "mine-later", 1)]);
  expect((await listFacts(mine.userId)).map(({ id }) => id)).toEqual(["mine", "mine-later"]);
  await db.transaction((tx) => deleteFacts(tx, mine.userId));
  const left = await db.select({ id: billingFacts.id }).from(billingFacts);
  expect(left.map(({ id }) => id)).toEqual(expect.arrayContaining(["theirs"]));
  expect(left.map(({ id }) => id)).not.toEqual(expect.arrayContaining(["mine"]));
});

test("an id of ours begins with its provider's name", () => {
  expect(theirId(PROVIDER, ourId(PROVIDER, "0112187401000000099"))).toBe("0112187401000000099");
});
