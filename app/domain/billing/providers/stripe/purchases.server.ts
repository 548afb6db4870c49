import Stripe from "stripe";
import {
  type CheckoutOrder,
  type CheckoutSnapshot,
  CustomerUnknown,
  OrderRefused,
  type Purchases,
} from "../provider.ts";
import { whenKeyIsFree } from "./key-in-use.server.ts";
import { checkoutOf, idOf, knownWord, ourMetadata } from "./objects.ts";
import { askStripe, isCustomerMissing, nullWhenMissing } from "./stripe-client.server.ts";

const PAGE = 100;
const LINES = ["line_items"];
const NO_CARD = { end_behavior: { missing_payment_method: "cancel" as const } };

export function stripePurchases(
  stripe: Stripe,
  { site, hasTax }: { site: string; hasTax: boolean },
): Purchases {
  return {
    createCustomer: ({ userId, email, key }) =>
      askStripe(stripe, async () => {
        const metadata = { ...ourMetadata(site), user: userId };
        const options = { idempotencyKey: key };
        const customer = await whenKeyIsFree(() => stripe.customers.create({ email, metadata }, options));
        return customer.id;
      }),
    startCheckout: (order) =>
      askStripe(stripe, async () => {
        // With the customer: for another one it is another order, and the key of the first is spent.
        const options = { idempotencyKey: `${order.checkoutId}-${order.customerId}` };
        const params = paramsOf(order, site, hasTax);
        const create = () => stripe.checkout.sessions.create(params, options);
        return snapshotOf(await whenKeyIsFree(create).catch(refuseWhenUnfit));
      }),
    readCheckout: (id) =>
      askStripe(stripe, async () => {
        const session = await nullWhenMissing(() => stripe.checkout.sessions.retrieve(id, { expand: LINES }));
        return session && snapshotOf(session);
      }),
    expireCheckout: (id) =>
      askStripe(stripe, async () => {
        const session = await nullWhenMissing(() => stripe.checkout.sessions.retrieve(id));
        if (session?.status !== "open") return;
        await expire(stripe, id);
      }),
    forgetCustomer: (customer) =>
      askStripe(stripe, async () => {
        await nullWhenMissing(async () => {
          const open = stripe.checkout.sessions.list({ customer, status: "open", limit: PAGE });
          for await (const { id } of open) await expire(stripe, id);
          // Its subscriptions end with it.
          return stripe.customers.del(customer);
        });
      }),
    openPortal: ({ customerId, returnUrl }) =>
      askStripe(stripe, async () => {
        const portal = { customer: customerId, return_url: returnUrl };
        try {
          return (await stripe.billingPortal.sessions.create(portal)).url;
        } catch (error) {
          if (isCustomerMissing(error)) return null;
          throw error;
        }
      }),
  };
}

async function expire(stripe: Stripe, id: string): Promise<void> {
  await stripe.checkout.sessions.expire(id).catch((error) => {
    // It was paid or ran out between the two questions.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}

/** What it finds wrong with an order would be as wrong at the next try. */
function refuseWhenUnfit(error: unknown): never {
  if (isCustomerMissing(error)) throw new CustomerUnknown("Stripe does not know the customer.");
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  throw new OrderRefused(
    `Stripe refuses a purchase (${error.code ?? "no code"}, ${error.param ?? "no field"}).`,
  );
}

function paramsOf(order: CheckoutOrder, site: string, hasTax: boolean): Stripe.Checkout.SessionCreateParams {
  const metadata = ourMetadata(site, order.checkoutId);
  const trial =
    order.trialDays === null ? {} : { trial_period_days: order.trialDays, trial_settings: NO_CARD };
  const tax = { automatic_tax: { enabled: true }, customer_update: { address: "auto" as const } };
  return {
    mode: "subscription",
    customer: order.customerId,
    client_reference_id: order.checkoutId,
    // Else a price with several is sold in the local one.
    currency: order.currency,
    line_items: [{ price: order.priceId, quantity: 1 }],
    allow_promotion_codes: true,
    // What is charged is the sum that was agreed to, in its own currency.
    adaptive_pricing: { enabled: false },
    // A trial, too, needs a card: without one it could only end.
    payment_method_collection: "always",
    metadata,
    subscription_data: { metadata, ...trial },
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    ...(hasTax ? tax : {}),
  };
}

function snapshotOf(session: Stripe.Checkout.Session): CheckoutSnapshot {
  const stripeStatus = knownWord(["open", "complete", "expired"], session.status ?? "");
  const status = stripeStatus === "complete" ? "completed" : stripeStatus;
  return {
    id: session.id,
    checkoutId: checkoutOf(session.metadata),
    customerId: idOf(session.customer),
    status,
    isPaymentPending: status === "completed" && session.payment_status === "unpaid",
    url: session.url,
    subscriptionId: idOf(session.subscription),
    sold: (session.line_items?.data ?? []).map(({ price, quantity, currency }) => ({
      priceId: price?.id ?? "",
      quantity: quantity ?? 0,
      currency,
      unitAmount: price?.unit_amount ?? null,
    })),
  };
}
