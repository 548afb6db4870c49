import Stripe from "stripe";
import { type StandInOptions, type StripeStandIn, startStripeStandIn } from "#demo/stripe/stand-in.ts";

export const WEBHOOK_SECRET = "whsec_of_the_test";

export function clientOf({ port, secretKey }: StripeStandIn, options: Stripe.StripeConfig = {}): Stripe {
  return new Stripe(secretKey, {
    host: "127.0.0.1",
    port,
    protocol: "http",
    maxNetworkRetries: 2,
    timeout: 5_000,
    telemetry: false,
    ...options,
  });
}

/** An offer of 14.99 a month and 119.00 a year, a customer, and the SDK to work with them. */
export async function startShop(options: StandInOptions = {}) {
  const standIn = await startStripeStandIn(options);
  const stripe = clientOf(standIn);
  const product = await stripe.products.create({ name: "Membership", metadata: { site: "peony" } });
  const monthly = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 1499,
    recurring: { interval: "month" },
    lookup_key: "monthly",
  });
  const yearly = await stripe.prices.create({
    product: product.id,
    currency: "usd",
    unit_amount: 11_900,
    recurring: { interval: "year" },
  });
  const customer = await stripe.customers.create({ email: "ada@example.com" });
  const buy = async (more: Partial<Stripe.Checkout.SessionCreateParams> = {}) =>
    stripe.checkout.sessions.create({
      mode: "subscription",
      line_items: [{ price: monthly.id, quantity: 1 }],
      customer: customer.id,
      success_url: "http://localhost/thanks?session={CHECKOUT_SESSION_ID}",
      cancel_url: "http://localhost/subscribe",
      ...more,
    });
  const subscribe = async (card = "4242", more: Partial<Stripe.Checkout.SessionCreateParams> = {}) => {
    const session = await buy(more);
    await submit(session.url, { card });
    const { subscription } = await stripe.checkout.sessions.retrieve(session.id, {
      expand: ["subscription"],
    });
    if (subscription === null || typeof subscription === "string") throw new Error("Nothing was bought");
    return subscription;
  };
  const statusOf = async (id: string) => (await stripe.subscriptions.retrieve(id)).status;
  return { standIn, stripe, product, monthly, yearly, customer, buy, subscribe, statusOf };
}

/** Submits a form of the hosted pages as a browser without JavaScript would. */
export async function submit(url: string | null, fields: Record<string, string>): Promise<Response> {
  if (url === null) throw new Error("There is no page");
  return fetch(url, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

/** The totals of a subscription's invoices, newest first. */
export async function invoicedBy(stripe: Stripe, subscription: string): Promise<number[]> {
  const { data } = await stripe.invoices.list({ subscription });
  return data.map(({ total }) => total);
}
