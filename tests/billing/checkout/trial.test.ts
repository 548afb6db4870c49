import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Purchase, startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import type {
  BillingProvider,
  SubscriptionSnapshot,
} from "#app/domain/billing/providers/contract/provider.ts";
import { sellingProvider } from "#app/domain/billing/providers/providers.server.ts";
import { fetchAndEnforce } from "#app/domain/billing/sync/enforce-rules.server.ts";
import { fetchSubscriptions } from "#app/domain/billing/sync/snapshot.server.ts";
import { completeCheckout } from "#app/domain/billing/sync/write-checkout.server.ts";
import { mailboxOf } from "#app/domain/mail/address.ts";
import { db } from "#db/client.server.ts";
import { checkouts, trials } from "#db/schema/checkouts.ts";
import { MONTHLY, openShop, purchaseOf } from "#tests/support/billing/shop.ts";
import { invoicedBy, submit } from "#tests/support/billing/stand-in-site.ts";
import { createMember } from "#tests/support/people.ts";

let shop: Awaited<ReturnType<typeof openShop>>;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.close());

let cards = 0;
function newCard(): string {
  cards += 1;
  return `card-${cards}`;
}

/** Treats this as the provider's first answer, as an event would. Returns the status afterwards. */
async function enforce(provider: BillingProvider, answer: SubscriptionSnapshot) {
  const answers = [[answer]];
  const { subscriptions } = await fetchAndEnforce(provider, async () => {
    const snapshot = await fetchSubscriptions(provider, [answer.id]);
    return { ...snapshot, subscriptions: answers.pop() ?? snapshot.subscriptions };
  });
  return subscriptions[0]?.status ?? "unknown";
}

/** Pays on the provider's page and processes the provider's data about the subscription. */
async function buy(purchase: Purchase, fingerprint: string | null = newCard()) {
  const start = await startCheckout(purchase);
  if (start.kind !== "page") throw new Error(`There is no page, but ${start.kind}`);
  return pay(purchase, start.url, fingerprint);
}

async function pay(purchase: Purchase, url: string, fingerprint: string | null = newCard()) {
  await submit(url, { card: "4242" });
  const provider = sellingProvider();
  const [row] = await db.select().from(checkouts).where(eq(checkouts.userId, purchase.userId));
  const paid = await provider?.readCheckout(row?.providerCheckoutId ?? "");
  const bought = await provider?.readSubscription(paid?.subscriptionId ?? "");
  if (!provider || !paid || !bought) throw new Error("Nothing was bought");
  /** Processes the subscription as an event would. */
  const hear = (card = fingerprint) => enforce(provider, { ...bought, fingerprint: card });
  const status = await hear();
  await db.transaction((tx) => completeCheckout(tx, paid));
  return { id: bought.id, status, hear };
}

const trialOffered = async ({ userId, email }: Pick<Purchase, "userId" | "email">) =>
  (await listOffer({ userId, email })).plans.find(({ priceId }) => priceId === MONTHLY)?.firstPeriod?.days ??
  null;

test.each([
  ["Ada@Example.com", "ada@example.com"],
  ["ada+films@example.com", "ada@example.com"],
  ["ada+a+b@example.com", "ada@example.com"],
  ["a.d.a+x@gmail.com", "ada@gmail.com"],
  ["A.da@GoogleMail.com", "ada@gmail.com"],
  ["a.da@example.com", "a.da@example.com"],
])("%s is the mailbox %s", (address, mailbox) => {
  expect(mailboxOf(address)).toBe(mailbox);
});

/** Twenty spellings of the same mailbox. */
const aliases = (name: string) =>
  Array.from({ length: 20 }, (_, index) => {
    const local = index % 2 === 0 ? name : `${name.slice(0, 1)}.${name.slice(1)}`;
    return `${local}+${index}@${index % 4 < 2 ? "gmail.com" : "googlemail.com"}`;
  });

test("twenty spellings of one mailbox, one after the other, get one trial", async () => {
  const offered: (number | null)[] = [];
  for (const email of aliases("onebyone")) {
    const member = await createMember({ email });
    const purchase = await purchaseOf(member);
    offered.push(await trialOffered(purchase));
    expect((await buy(purchase)).status).toBe(offered.length === 1 ? "trialing" : "active");
  }
  expect(offered).toEqual([7, ...Array<null>(19).fill(null)]);
}, 60_000);

test("one of twenty open pages with a trial gets it; the other subscriptions end without a charge", async () => {
  const buyers = await Promise.all(
    aliases("allatonce").map(async (email) => {
      const purchase = await purchaseOf(await createMember({ email }));
      const start = await startCheckout(purchase);
      return { purchase, url: start.kind === "page" ? start.url : "" };
    }),
  );
  const bought = await Promise.all(buyers.map(({ purchase, url }) => pay(purchase, url)));
  expect(bought.filter(({ status }) => status === "trialing")).toHaveLength(1);
  const ended = bought.filter(({ status }) => status === "canceled");
  expect(ended).toHaveLength(19);
  for (const { id } of ended) expect(await invoicedBy(shop.stripe, id)).toEqual([0]);
  for (const { purchase } of buyers) expect(await trialOffered(purchase)).toBeNull();
}, 60_000);

test("a card that has had a trial gets no second one under another name, and its owner is offered none", async () => {
  const first = await buy(await purchaseOf(await createMember()), "one-card");
  expect([first.status, await first.hear()]).toEqual(["trialing", "trialing"]);

  const other = await purchaseOf(await createMember());
  expect(await trialOffered(other)).toBe(7);
  const second = await buy(other, "one-card");
  expect([second.status, await second.hear()]).toEqual(["canceled", "canceled"]);
  expect(await invoicedBy(shop.stripe, second.id)).toEqual([0]);
  expect(await trialOffered(other)).toBeNull();
});

test("a bank account that has had a trial gets no second one", async () => {
  shop.standIn.control.shareCards();
  const bought: string[] = [];
  for (let person = 1; person <= 2; person += 1) {
    const purchase = await purchaseOf(await createMember());
    const start = await startCheckout(purchase);
    await submit(start.kind === "page" ? start.url : "", { card: "bank" });
    const [row] = await db.select().from(checkouts).where(eq(checkouts.userId, purchase.userId));
    const provider = sellingProvider();
    const paid = await provider?.readCheckout(row?.providerCheckoutId ?? "");
    const snapshot = await provider?.readSubscription(paid?.subscriptionId ?? "");
    bought.push(snapshot && provider ? await enforce(provider, snapshot) : "nothing");
  }
  expect(bought).toEqual(["trialing", "canceled"]);
});

test("a card that becomes known later counts from then on", async () => {
  const first = await buy(await purchaseOf(await createMember()), "late-card");
  const second = await buy(await purchaseOf(await createMember()), null);
  expect([first.status, second.status]).toEqual(["trialing", "trialing"]);
  expect(await second.hear("late-card")).toBe("canceled");
  expect(await db.select().from(trials).where(eq(trials.subscriptionId, second.id))).toEqual([]);
});

test("a trial that the host gave by hand is not ended", async () => {
  const { id: customer } = await shop.stripe.customers.create({
    payment_method: "pm_card_visa",
    invoice_settings: { default_payment_method: "pm_card_visa" },
  });
  const items = [{ price: MONTHLY }];
  const { id } = await shop.stripe.subscriptions.create({ customer, items, trial_period_days: 30 });
  const provider = sellingProvider();
  const given = await provider?.readSubscription(id);
  expect(given && provider && (await enforce(provider, given))).toBe("trialing");
});

test("neither address nor card can be read in the table", async () => {
  const member = await createMember({ email: "readable@example.com" });
  const { id } = await buy(await purchaseOf(member), "readable-card");
  const [row] = await db.select().from(trials).where(eq(trials.subscriptionId, id));
  expect(row?.addressHash).toMatch(/^[0-9a-f]{64}$/);
  expect(row?.cardHash).toMatch(/^[0-9a-f]{64}$/);
  expect(JSON.stringify(row)).not.toContain("readable");
});
