import type Stripe from "stripe";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import {
  type CustomerSnapshot,
  ProviderUnreachable,
  type SubscriptionApi,
  type SubscriptionSnapshot,
} from "../contract/provider.ts";
import { chargeSnapshot, invoiceSnapshot } from "./invoice-snapshot.ts";
import { findNextAmount, hasPaymentPending, isPaymentPending } from "./next-payment.server.ts";
import { idOf, isOfOtherSite, PAGE } from "./objects.ts";
import { nullWhenMissing, unlessRefused } from "./stripe-client.server.ts";
import {
  isEnding,
  paymentMethodOf,
  SUBSCRIPTION_PARTS,
  subscriptionSnapshot,
} from "./subscription-snapshot.ts";

const CUSTOMER_PARTS = [
  "invoice_settings.default_payment_method",
  "subscriptions.data.default_payment_method",
];
/** With another account's key, a subscription would look ended although it is still charged. */
const UNKNOWN =
  "Stripe does not know this subscription. Does STRIPE_SECRET_KEY belong to the account that sold it?";
const PERIOD_REASONS: Stripe.Invoice.BillingReason[] = ["subscription_create", "subscription_cycle"];

const hasEnded = ({ status }: Stripe.Subscription) => ENDED_STATUSES.some((ended) => ended === status);

export function stripeSubscriptionApi(stripe: Stripe): SubscriptionApi {
  const find = (id: string) =>
    nullWhenMissing(stripe.subscriptions.retrieve(id, { expand: SUBSCRIPTION_PARTS }));
  const findKnown = async (id: string) => {
    const subscription = await find(id);
    if (subscription !== null) return subscription;
    throw new ProviderUnreachable(UNKNOWN);
  };
  const readSubscription = async (id: string) => {
    const subscription = await find(id);
    if (subscription === null) return null;
    return subscriptionSnapshot(subscription, {
      nextAmount: await findNextAmount(stripe, subscription),
      isPaymentPending: await isPaymentPending(stripe, subscription),
    });
  };
  const readCharge = async (id: string) => {
    const charge = await nullWhenMissing(stripe.charges.retrieve(id));
    return charge && chargeSnapshot(stripe, charge);
  };
  /** Stripe refuses to change the end of a subscription under a schedule, and releasing the schedule discards the changes it had planned. */
  const withoutSchedule = async (subscription: Stripe.Subscription) => {
    const schedule = idOf(subscription.schedule);
    if (schedule === null || hasEnded(subscription)) return subscription;
    await unlessRefused(stripe.subscriptionSchedules.release(schedule));
    return findKnown(subscription.id);
  };
  const setEnding = async (id: string, { isToEnd }: { isToEnd: boolean }) => {
    const found = await findKnown(id);
    // The host can still move an end that a schedule has set, so a cancellation replaces it.
    if (isEnding(found) === isToEnd && !(isToEnd && found.schedule !== null)) return;
    const subscription = await withoutSchedule(found);
    if (hasEnded(subscription) || isEnding(subscription) === isToEnd) return;
    const hasEndDate = !isToEnd && !subscription.cancel_at_period_end;
    await stripe.subscriptions.update(id, hasEndDate ? { cancel_at: "" } : { cancel_at_period_end: isToEnd });
  };
  const listAll = async (customer: string) => {
    const snapshots: SubscriptionSnapshot[] = [];
    for await (const { id } of stripe.subscriptions.list({ customer, status: "all", limit: PAGE })) {
      // Stripe expands lists no deeper than the price.
      const snapshot = await readSubscription(id);
      if (snapshot !== null) snapshots.push(snapshot);
    }
    return snapshots;
  };
  return {
    readSubscription,
    listSubscriptions: async (customer) => (await nullWhenMissing(listAll(customer))) ?? [],
    readInvoice: async (id) => {
      const invoice = await nullWhenMissing(stripe.invoices.retrieve(id));
      return invoice && invoiceSnapshot(invoice);
    },
    listInvoices: async (customer) => {
      const { data } = await stripe.invoices.list({ customer, limit: PAGE });
      return data.flatMap((invoice) => invoiceSnapshot(invoice) ?? []);
    },
    voidInvoice: async (id) => {
      const invoice = await nullWhenMissing(stripe.invoices.retrieve(id));
      if (invoice === null || !isForPeriod(invoice) || (await hasPaymentPending(stripe, id))) return;
      await unlessRefused(stripe.invoices.voidInvoice(id));
    },
    readCustomer: async (id) => {
      const customer = await nullWhenMissing(stripe.customers.retrieve(id, { expand: CUSTOMER_PARTS }));
      return customer && customerSnapshot(customer);
    },
    readCharge,
    readDisputed: async (id) => {
      const dispute = await nullWhenMissing(stripe.disputes.retrieve(id));
      return dispute && readCharge(idOf(dispute.charge));
    },
    listReversedCharges: async (customer) => {
      const { data } = await stripe.charges.list({ customer, limit: PAGE });
      const reversed = data.filter(({ amount_refunded, disputed }) => amount_refunded > 0 || disputed);
      return Promise.all(reversed.map((charge) => chargeSnapshot(stripe, charge)));
    },
    endAtPeriodEnd: (id) => setEnding(id, { isToEnd: true }),
    keep: (id) => setEnding(id, { isToEnd: false }),
    resume: async (id) => {
      if ((await findKnown(id)).status === "paused") await stripe.subscriptions.resume(id);
    },
    endNow: async (id) => {
      if (hasEnded(await findKnown(id))) return;
      await stripe.subscriptions.cancel(id).catch(async (error) => {
        const subscription = await findKnown(id);
        if (hasEnded(subscription)) return;
        if (subscription.schedule === null) throw error;
        await withoutSchedule(subscription);
        await stripe.subscriptions.cancel(id);
      });
    },
  };
}

/** Asked of the invoice itself: its subscription may be charged in another way by now, and the host can add invoices to it. */
function isForPeriod({ collection_method: method, billing_reason: reason }: Stripe.Invoice): boolean {
  return method === "charge_automatically" && PERIOD_REASONS.some((each) => each === reason);
}

function customerSnapshot(customer: Stripe.Customer | Stripe.DeletedCustomer): CustomerSnapshot {
  const { id } = customer;
  if (customer.deleted) return { id, isDeleted: true, isOtherSite: false, billingMethod: null, card: null };
  const [subscription] = customer.subscriptions?.data ?? [];
  const method = subscription?.default_payment_method ?? customer.invoice_settings.default_payment_method;
  return {
    id,
    isDeleted: false,
    isOtherSite: isOfOtherSite(customer.metadata),
    billingMethod: subscription?.collection_method ?? null,
    card: typeof method === "object" ? method && paymentMethodOf(method) : null,
  };
}
