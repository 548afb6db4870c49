import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { and, asc, eq } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { invoices } from "#db/schema/invoices.ts";
import { mailOutbox } from "#db/schema/mail.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import type { ActionName } from "#demo/btcpay/control.ts";
import { startBtcpayStandIn } from "#demo/btcpay/stand-in.ts";
import { emptyState } from "#demo/btcpay/state.ts";
import { createMember, type TestMember } from "#tests/support/people.ts";
import { settle } from "./run-jobs.ts";
import { submit } from "./stand-in-site.ts";
import { startWebhookSite } from "./webhook-site.ts";

export const DAY = 86_400;
export const HOUR = 3_600;
const MONTH = "one_month";
export const QUARTER = "ninety_days";
export const SETTINGS = {
  storeId: "s1",
  apiKey: "key_of_the_test_at_btcpay",
  webhookSecret: "whsec-of-the-test",
};

/**
 * A stand-in for BTCPay Server whose clock is `daysAgo` in the past, so that a test can move it on without leaving our own time
 * behind. Its events arrive here over HTTP; this process is the site and its worker.
 */
export async function startBtcpayShop({ daysAgo = 0 }: { daysAgo?: number } = {}) {
  const site = await startWebhookSite("btcpay");
  const stateFile = join(mkdtempSync(join(tmpdir(), "peony-btcpay-")), "state.json");
  writeFileSync(stateFile, JSON.stringify({ ...emptyState(), clockOffset: -daysAgo * DAY }));
  const standIn = await startBtcpayStandIn({ settings: SETTINGS, webhookUrl: site.url, stateFile });
  const { control, origin } = standIn;
  const use = (more: Partial<typeof SETTINGS & { url: string }> = {}) => {
    config.billing.btcpay = { ...SETTINGS, url: origin, ...more };
  };
  use();
  await makePrices();
  const start = async (buyer: TestMember, priceId = MONTH) => {
    const person = { userId: buyer.id, email: buyer.email };
    const { plans } = await listOffer(person);
    const consentHash = plans.find((one) => one.priceId === priceId)?.termsHash ?? null;
    return startCheckout({ ...person, priceId, consentHash, network: null });
  };
  /** Opens the payment page of a plan. `page`: the id of its invoice. */
  const order = async (buyer: TestMember, priceId = MONTH) => {
    const started = await start(buyer, priceId);
    const isOpen = and(eq(checkouts.userId, buyer.id), eq(checkouts.status, "open"));
    const [checkout] = await db.select().from(checkouts).where(isOpen);
    if (started.kind !== "page" || !checkout?.url) throw new Error(`No page, but ${JSON.stringify(started)}`);
    return { link: checkout.url, checkoutId: checkout.id, page: checkout.url.split("/").at(-1) ?? "" };
  };
  /** Resolves when all events and their consequences are processed. */
  const settled = () => settle(control);
  /** With a wallet that pays at once. */
  const pay = async (link: string) => {
    await submit(link, { method: "BTC-LN" });
    await settled();
  };
  const act = async (name: ActionName, page: string) => {
    control.act(name, page);
    await settled();
  };
  const advance = async (seconds: number) => {
    await control.advance(seconds);
    await settled();
  };
  const rowOf = async ({ id }: TestMember) => {
    const rows = await db.select().from(subscriptions).where(eq(subscriptions.userId, id));
    if (rows.length > 1) throw new Error("A second subscription");
    return rows[0];
  };
  return {
    site,
    control,
    /** BTCPay's own answers. */
    api: async (path: string, body?: object) => {
      const headers = { authorization: `token ${SETTINGS.apiKey}` };
      const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      return (await fetch(`${origin}/api/v1/stores/s1${path}`, { ...sent, headers })).json();
    },
    origin,
    use,
    start,
    order,
    pay,
    act,
    advance,
    settled,
    rowOf,
    /** In the order of their payments. */
    billsOf: ({ id }: TestMember) =>
      db.select().from(invoices).where(eq(invoices.userId, id)).orderBy(asc(invoices.createdAt)),
    checkoutOf: async (id: string) => (await db.select().from(checkouts).where(eq(checkouts.id, id)))[0],
    mailsTo: ({ email }: TestMember) =>
      db.select().from(mailOutbox).where(eq(mailOutbox.to, email)).orderBy(asc(mailOutbox.createdAt)),
    /** A member who has paid for a month. */
    async subscriber() {
      const buyer = await createMember();
      const bought = await order(buyer);
      await pay(bought.link);
      const row = await rowOf(buyer);
      if (row === undefined) throw new Error("Nothing was bought");
      return { buyer, row, ...bought };
    },
    async stop() {
      config.billing.btcpay = null;
      await standIn.stop();
      await site.stop();
    },
  };
}

async function makePrices(): Promise<void> {
  await db.insert(products).values({ id: "plan", name: "Membership" }).onConflictDoNothing();
  await db
    .insert(prices)
    .values([
      { id: MONTH, productId: "plan", currency: "eur", unitAmount: 999, interval: "month", intervalCount: 1 },
      {
        id: QUARTER,
        productId: "plan",
        currency: "eur",
        unitAmount: 2499,
        interval: "day",
        intervalCount: 90,
      },
    ])
    .onConflictDoNothing();
}
