import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { startCheckout } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { ccbillDataLink } from "#app/domain/billing/providers/ccbill/data-link.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { prices, products } from "#db/schema/prices.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { startCcbillStandIn } from "#demo/ccbill/stand-in.ts";
import { emptyState } from "#demo/ccbill/state.ts";
import { createMember, type TestMember } from "#tests/support/people.ts";
import { ccbillSettings } from "./ccbill-settings.ts";
import { settle } from "./run-jobs.ts";
import { submit } from "./stand-in-site.ts";
import { startWebhookSite } from "./webhook-site.ts";

export const DAY = 86_400;
const MONTHLY = "price_of_30_days";
export const QUARTERLY = "price_of_90_days";

/**
 * A stand-in for CCBill whose clock is `daysAgo` in the past, so that a test can move it on without leaving our own time
 * behind. Its events arrive here over HTTP; this process is the site and its worker.
 */
export async function startCcbillShop({ daysAgo = 0 }: { daysAgo?: number } = {}) {
  const settings = ccbillSettings();
  const site = await startWebhookSite("ccbill", settings.webhookToken);
  const stateFile = join(mkdtempSync(join(tmpdir(), "peony-ccbill-")), "state.json");
  writeFileSync(stateFile, JSON.stringify({ ...emptyState(), clockOffset: -daysAgo * DAY }));
  const { clientAccnum, clientSubacc, flexId, salt, dataLinkUser, dataLinkPassword } = settings;
  const account = { clientAccnum, clientSubacc, flexId, salt, dataLinkUser, dataLinkPassword };
  const urls = { approvalUrl: `${config.origin}/subscribe/return`, denialUrl: `${config.origin}/subscribe` };
  const standIn = await startCcbillStandIn({
    settings: { ...account, ...urls },
    webhookUrl: site.url,
    stateFile,
  });
  const use = (more: Partial<typeof settings> = {}) => {
    config.billing.ccbill = { ...settings, apiUrl: standIn.origin, ...more };
  };
  use();
  await makePrices();
  const { control } = standIn;
  const findLink = async (userId: string) => {
    const rows = await db.select().from(checkouts).where(eq(checkouts.userId, userId));
    return rows.find(({ status }) => status === "open") ?? null;
  };
  /** Opens the payment page of a plan, and returns its link, which works for ever. */
  const order = async (buyer: TestMember, priceId = MONTHLY) => {
    const person = { userId: buyer.id, email: buyer.email };
    const { plans } = await listOffer(person);
    const plan = plans.find((one) => one.priceId === priceId);
    const consentHash = plan?.termsHash ?? null;
    const started = await startCheckout({ ...person, priceId, consentHash, network: null });
    const checkout = await findLink(buyer.id);
    if (started.kind !== "page" || !checkout?.url) throw new Error(`No page, but ${JSON.stringify(started)}`);
    return { link: checkout.url, checkoutId: checkout.id, way: started.url };
  };
  const settled = () => settle(control);
  const pay = async (link: string, card = "4242") => {
    await submit(link, { card, email: "ada@example.com", customer_fname: "Ada" });
    await settled();
  };
  const rowsOf = (buyer: TestMember) =>
    db
      .select()
      .from(subscriptions)
      .where(eq(subscriptions.userId, buyer.id))
      .orderBy(subscriptions.created, subscriptions.id);
  return {
    settings,
    standIn,
    control,
    /** What CCBill itself answers. */
    dataLink: ccbillDataLink({ ...settings, apiUrl: standIn.origin }),
    site,
    use,
    order,
    pay,
    settled,
    rowsOf,
    /** A member with a subscription. */
    async subscriber(card?: string) {
      const buyer = await createMember();
      await pay((await order(buyer)).link, card);
      const [row] = await rowsOf(buyer);
      if (row === undefined) throw new Error("Nothing was bought");
      return { buyer, id: row.id, theirs: row.id.replace("ccbill:", "") };
    },
    async stop() {
      config.billing.ccbill = null;
      await standIn.stop();
      await site.stop();
    },
  };
}

/** Until the site makes them itself. */
async function makePrices(): Promise<void> {
  await db.insert(products).values({ id: "plan", name: "Membership" }).onConflictDoNothing();
  const price = { productId: "plan", currency: "usd", interval: "day" as const };
  for (const [id, unitAmount, intervalCount] of [
    [MONTHLY, 999, 30],
    [QUARTERLY, 2499, 90],
  ] as const) {
    await db
      .insert(prices)
      .values({ ...price, id, unitAmount, intervalCount })
      .onConflictDoNothing();
  }
}
