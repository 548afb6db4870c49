import { ConstantBackoff, handleWhen, retry } from "cockatiel";
import Stripe from "stripe";
import {
  type CheckoutOrder,
  type CheckoutSnapshot,
  CustomerUnknown,
  OrderRefused,
  type Purchases,
} from "../contract/provider.ts";
import { checkoutOf, idOf, knownWord, ourMetadata, PAGE } from "./objects.ts";
import { isCustomerMissing, nullWhenMissing, unlessRefused } from "./stripe-client.server.ts";

const LINES = ["line_items"];
const NO_CARD = { end_behavior: { missing_payment_method: "cancel" as const } };
/** Another call is using the key, and this one will get the same answer. Stripe's package retries for only a second; a page has ten. */
const whenKeyIsFree = retry(handleWhen(isKeyInUse), { maxAttempts: 7, backoff: new ConstantBackoff(500) });

export function stripePurchases(
  stripe: Stripe,
  { site, hasTax }: { site: string; hasTax: boolean },
): Purchases {
  return {
    createCustomer: async ({ userId, email, key }) => {
      const metadata = { ...ourMetadata(site), user: userId };
      const options = { idempotencyKey: key };
      const customer = await whenKeyIsFree.execute(() =>
        stripe.customers.create({ email, metadata }, options),
      );
      return customer.id;
    },
    startCheckout: async (order) => {
      // The key includes the customer: with another one it is another order, which may not reuse the first one's key.
      const options = { idempotencyKey: `${order.checkoutId}-${order.customerId}` };
      const params = paramsOf(order, site, hasTax);
      const create = () => stripe.checkout.sessions.create(params, options);
      return snapshotOf(await whenKeyIsFree.execute(create).catch(refuseWhenUnfit));
    },
    readCheckout: async (id) => {
      const session = await nullWhenMissing(stripe.checkout.sessions.retrieve(id, { expand: LINES }));
      return session && snapshotOf(session);
    },
    expireCheckout: async (id) => {
      const session = await nullWhenMissing(stripe.checkout.sessions.retrieve(id));
      if (session?.status === "open") await unlessRefused(stripe.checkout.sessions.expire(id));
    },
    closePages: async (customer) => {
      await nullWhenMissing(closePages(stripe, customer));
    },
    forgetCustomer: async (customer) => {
      const forget = () => stripe.customers.del(customer);
      await nullWhenMissing(closePages(stripe, customer).then(forget));
    },
    openPortal: async ({ customerId, returnUrl }) => {
      const portal = { customer: customerId, return_url: returnUrl };
      const session = stripe.billingPortal.sessions.create(portal);
      return (await nullWhenMissing(session, isCustomerMissing))?.url ?? null;
    },
  };
}

async function closePages(stripe: Stripe, customer: string): Promise<void> {
  const open = stripe.checkout.sessions.list({ customer, status: "open", limit: PAGE });
  for await (const { id } of open) await unlessRefused(stripe.checkout.sessions.expire(id));
}

/** An invalid order would fail the same way on every retry. */
function refuseWhenUnfit(error: unknown): never {
  if (isCustomerMissing(error)) throw new CustomerUnknown("Stripe does not know the customer.");
  if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  throw new OrderRefused(
    `Stripe refused a purchase (${error.code ?? "no code"}, ${error.param ?? "no field"}).`,
  );
}

function paramsOf(order: CheckoutOrder, site: string, hasTax: boolean): Stripe.Checkout.SessionCreateParams {
  const metadata = ourMetadata(site, order.checkoutId);
  const days = order.firstPeriod?.days;
  const trial = days === undefined ? {} : { trial_period_days: days, trial_settings: NO_CARD };
  const tax = { automatic_tax: { enabled: true }, customer_update: { address: "auto" as const } };
  return {
    mode: "subscription",
    customer: order.customerId,
    client_reference_id: order.checkoutId,
    // A price with several currencies would otherwise be sold in the local one.
    currency: order.currency,
    line_items: [{ price: order.priceId, quantity: 1 }],
    allow_promotion_codes: true,
    // The customer pays the amount of the purchase terms in the currency of the terms.
    adaptive_pricing: { enabled: false },
    // A trial needs a card, too: without one it could only end.
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
    partPaid: null,
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

function isKeyInUse(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === "idempotency_key_in_use";
}
