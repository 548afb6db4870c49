import { config } from "#app/config.server.ts";
import { sellingProvider } from "#app/domain/billing/providers/providers.server.ts";
import { startPaidSite } from "../paid-site.ts";
import { submit } from "../stand-in-site.ts";
import { type ContractShop, orderOf, siteOptions } from "./contract-shop.ts";

const CARDS = { works: "4242", declined: "0002" };
/** The renewal and the three attempts after it. */
const ALL_ATTEMPTS = 4;

export async function openStripeShop(): Promise<ContractShop> {
  const shop = await startPaidSite(siteOptions);
  const { control, site, stripe } = shop;
  const { customerId } = await shop.createPayer();
  return {
    provider: "stripe",
    forgedIs: "signature",
    site,
    control,
    priceId: shop.monthly.id,
    otherPriceId: shop.yearly.id,
    pay: async (page, how = "works") => {
      const answer = await submit(page, { card: CARDS[how] });
      return answer.headers.get("location");
    },
    charges: {
      fail: (id, how) => control.failNextPayment(id, how === "once" ? 1 : ALL_ATTEMPTS),
      cancel: (id) => stripe.subscriptions.update(id, { cancel_at_period_end: true }),
      end: (id) => stripe.subscriptions.cancel(id),
      chargeBack: (id) => void control.dispute(id),
      newest: async () => (await stripe.subscriptions.list({ limit: 1 })).data[0]?.id ?? "",
    },
    refund: (id) => void control.refund(id),
    stateOf: async (id) => {
      const { status, cancel_at_period_end: isEnding } = await stripe.subscriptions.retrieve(id);
      return status === "canceled" ? "over" : isEnding ? "ending" : "renewing";
    },
    asked: async (terms) => {
      const { currency, first } = terms;
      const recurring = { interval: "month" as const };
      const made = { product: shop.product.id, currency, unit_amount: first.amount, recurring };
      const { id: priceId } = await stripe.prices.create(made);
      const page = await sellingProvider()?.startCheckout({ ...orderOf(terms), customerId, priceId });
      await stripe.prices.update(priceId, { active: false });
      const session = await stripe.checkout.sessions.retrieve(page?.id ?? "");
      return { currency: session.currency ?? "", first: session.amount_total ?? 0, renewal: null };
    },
    async stop() {
      await shop.stop();
      config.billing.stripe = null;
    },
  };
}
