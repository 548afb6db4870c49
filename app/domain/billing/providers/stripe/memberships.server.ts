import Stripe from "stripe";
import { type Memberships, ProviderUnreachable, type SubscriptionSnapshot } from "../provider.ts";
import { chargeOf } from "./charge-snapshot.server.ts";
import { customerSnapshot } from "./customer-snapshot.ts";
import { invoiceSnapshot } from "./invoice-snapshot.ts";
import { findNextAmount } from "./next-amount.server.ts";
import { idOf } from "./objects.ts";
import { isMoneyOnItsWay } from "./pending-payment.server.ts";
import { askStripe, nullWhenMissing } from "./stripe-client.server.ts";
import { isEnding, SUBSCRIPTION_PARTS, subscriptionSnapshot } from "./subscription-snapshot.ts";

const PAGE = 100;
/** With the key of another account it would seem to be over, and be charged all the same. */
const UNKNOWN = "Stripe does not know this subscription: is STRIPE_SECRET_KEY of the account that sold it?";
const ENDED = ["canceled", "incomplete_expired"];

export function stripeMemberships(stripe: Stripe): Memberships {
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
      isPaymentPending: await isMoneyOnItsWay(stripe, subscription),
    });
  const change = (id: string, isToEnd: boolean) =>
    askStripe(stripe, async () => {
      const subscription = await findKnown(id);
      if (ENDED.includes(subscription.status)) return;
      if (isEnding(subscription) === isToEnd) return;
      const isOnDay = !isToEnd && !subscription.cancel_at_period_end;
      await stripe.subscriptions.update(id, isOnDay ? { cancel_at: "" } : { cancel_at_period_end: isToEnd });
    });
  return {
    readSubscription: (id) =>
      askStripe(stripe, async () => {
        const subscription = await find(id);
        return subscription && snapshotOf(subscription);
      }),
    listSubscriptions: (customer) =>
      askStripe(stripe, async () => {
        const snapshots: SubscriptionSnapshot[] = [];
        await nullWhenMissing(async () => {
          for await (const { id } of stripe.subscriptions.list({ customer, status: "all", limit: PAGE })) {
            // Stripe expands no deeper in a list than the price.
            const subscription = await find(id);
            if (subscription !== null) snapshots.push(await snapshotOf(subscription));
          }
        });
        return snapshots;
      }),
    readInvoice: (id) =>
      askStripe(stripe, async () => {
        const invoice = await nullWhenMissing(() => stripe.invoices.retrieve(id));
        return invoice && invoiceSnapshot(invoice);
      }),
    listInvoices: (customer) =>
      askStripe(stripe, async () => {
        const { data } = await stripe.invoices.list({ customer, limit: PAGE });
        return data.flatMap((invoice) => invoiceSnapshot(invoice) ?? []);
      }),
    readCustomer: (id) =>
      askStripe(stripe, async () => {
        const expand = [
          "invoice_settings.default_payment_method",
          "subscriptions.data.default_payment_method",
        ];
        const customer = await nullWhenMissing(() => stripe.customers.retrieve(id, { expand }));
        return customer && customerSnapshot(customer);
      }),
    readCharge: (id) =>
      askStripe(stripe, async () => {
        const charge = await nullWhenMissing(() => stripe.charges.retrieve(id));
        return charge && chargeOf(stripe, charge);
      }),
    readDisputed: (id) =>
      askStripe(stripe, async () => {
        const dispute = await nullWhenMissing(() => stripe.disputes.retrieve(id));
        const charge =
          dispute && (await nullWhenMissing(() => stripe.charges.retrieve(idOf(dispute.charge))));
        return charge && chargeOf(stripe, charge);
      }),
    listReturned: (customer) =>
      askStripe(stripe, async () => {
        const { data } = await stripe.charges.list({ customer, limit: PAGE });
        const returned = data.filter(({ amount_refunded, disputed }) => amount_refunded > 0 || disputed);
        return Promise.all(returned.map((charge) => chargeOf(stripe, charge)));
      }),
    endAtPeriodEnd: (id) => change(id, true),
    keep: (id) => change(id, false),
    resume: (id) =>
      askStripe(stripe, async () => {
        if ((await findKnown(id)).status === "paused") await stripe.subscriptions.resume(id);
      }),
    endNow: (id) =>
      askStripe(stripe, async () => {
        if (ENDED.includes((await findKnown(id)).status)) return;
        await stripe.subscriptions.cancel(id).catch((error) => {
          // It ended between the two questions.
          if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
        });
      }),
  };
}
