import Stripe from "stripe";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import {
  type CustomerSnapshot,
  ProviderUnreachable,
  type SubscriptionApi,
  type SubscriptionSnapshot,
} from "../provider.ts";
import { chargeSnapshot, invoiceSnapshot } from "./invoice-snapshot.ts";
import { findNextAmount, isPaymentPending } from "./next-payment.server.ts";
import { idOf, siteOf } from "./objects.ts";
import { callStripe, nullWhenMissing } from "./stripe-client.server.ts";
import { isEnding, SUBSCRIPTION_PARTS, subscriptionSnapshot } from "./subscription-snapshot.ts";

const PAGE = 100;
/** With another account's key it would look ended, yet still be charged. */
const UNKNOWN = "Stripe does not know this subscription: is STRIPE_SECRET_KEY of the account that sold it?";

const hasEnded = ({ status }: Stripe.Subscription) => ENDED_STATUSES.some((ended) => ended === status);

export function stripeSubscriptionApi(stripe: Stripe): SubscriptionApi {
  const find = (id: string) =>
    nullWhenMissing(() => stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_PARTS }));
  const findKnown = async (id: string) => {
    const subscription = await find(id);
    if (subscription !== null) return subscription;
    throw new ProviderUnreachable(UNKNOWN);
  };
  const snapshotOf = async (subscription: Stripe.Subscription) =>
    subscriptionSnapshot(subscription, {
      nextAmount: await findNextAmount(stripe, subscription),
      isPaymentPending: await isPaymentPending(stripe, subscription),
    });
  const change = (id: string, isToEnd: boolean) =>
    callStripe(stripe, async () => {
      const subscription = await findKnown(id);
      if (hasEnded(subscription)) return;
      if (isEnding(subscription) === isToEnd) return;
      const isOnDay = !isToEnd && !subscription.cancel_at_period_end;
      await stripe.subscriptions.update(id, isOnDay ? { cancel_at: "" } : { cancel_at_period_end: isToEnd });
    });
  return {
    readSubscription: (id) =>
      callStripe(stripe, async () => {
        const subscription = await find(id);
        return subscription && snapshotOf(subscription);
      }),
    listSubscriptions: (customer) =>
      callStripe(stripe, async () => {
        const snapshots: SubscriptionSnapshot[] = [];
        await nullWhenMissing(async () => {
          for await (const { id } of stripe.subscriptions.list({ customer, status: "all", limit: PAGE })) {
            // Stripe expands a list no deeper than the price.
            const subscription = await find(id);
            if (subscription !== null) snapshots.push(await snapshotOf(subscription));
          }
        });
        return snapshots;
      }),
    readInvoice: (id) =>
      callStripe(stripe, async () => {
        const invoice = await nullWhenMissing(() => stripe.invoices.retrieve(id));
        return invoice && invoiceSnapshot(invoice);
      }),
    listInvoices: (customer) =>
      callStripe(stripe, async () => {
        const { data } = await stripe.invoices.list({ customer, limit: PAGE });
        return data.flatMap((invoice) => invoiceSnapshot(invoice) ?? []);
      }),
    readCustomer: (id) =>
      callStripe(stripe, async () => {
        const expand = [
          "invoice_settings.default_payment_method",
          "subscriptions.data.default_payment_method",
        ];
        const customer = await nullWhenMissing(() => stripe.customers.retrieve(id, { expand }));
        return customer && customerSnapshot(customer);
      }),
    readCharge: (id) =>
      callStripe(stripe, async () => {
        const charge = await nullWhenMissing(() => stripe.charges.retrieve(id));
        return charge && chargeSnapshot(stripe, charge);
      }),
    readDisputed: (id) =>
      callStripe(stripe, async () => {
        const dispute = await nullWhenMissing(() => stripe.disputes.retrieve(id));
        const charge =
          dispute && (await nullWhenMissing(() => stripe.charges.retrieve(idOf(dispute.charge))));
        return charge && chargeSnapshot(stripe, charge);
      }),
    listReturned: (customer) =>
      callStripe(stripe, async () => {
        const { data } = await stripe.charges.list({ customer, limit: PAGE });
        const returned = data.filter(({ amount_refunded, disputed }) => amount_refunded > 0 || disputed);
        return Promise.all(returned.map((charge) => chargeSnapshot(stripe, charge)));
      }),
    endAtPeriodEnd: (id) => change(id, true),
    keep: (id) => change(id, false),
    resume: (id) =>
      callStripe(stripe, async () => {
        if ((await findKnown(id)).status === "paused") await stripe.subscriptions.resume(id);
      }),
    endNow: (id) =>
      callStripe(stripe, async () => {
        if (hasEnded(await findKnown(id))) return;
        await stripe.subscriptions.cancel(id).catch((error) => {
          // It ended between the two calls.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
      }),
  };
}

/** Needs the default cards of the customer and of its subscriptions expanded. */
function customerSnapshot(customer: Stripe.Customer | Stripe.DeletedCustomer): CustomerSnapshot {
  const { id } = customer;
  if (customer.deleted) return { id, isDeleted: true, site: null, billingMethod: null, card: null };
  const [subscription] = customer.subscriptions?.data ?? [];
  const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  const card = typeof method === "object" ? method?.card : null;
  return {
    id,
    isDeleted: false,
    site: siteOf(customer.metadata),
    billingMethod: subscription?.collection_method ?? null,
    card: card
      ? { brand: card.brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year }
      : null,
  };
}
