import Stripe from "stripe";
import { config } from "#app/config.server.ts";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { type StandInOptions, startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { createMember, signedInCookie, type TestMember } from "#tests/support/people.ts";
import { findTestPort } from "#tests/support/process/test-port.ts";
import { startSite } from "#tests/support/site.ts";
import { settle } from "./run-jobs.ts";
import { clientOf, submit, WEBHOOK_SECRET } from "./stand-in-site.ts";

const SECRET_KEY = "sk_test_ofthetest";

// The SDK pauses for up to two seconds between its attempts, which no test of this process is about.
Stripe.prototype.getInitialNetworkRetryDelay = () => 0.05;
Stripe.prototype.getMaxNetworkRetryDelay = () => 0.2;

export interface Payer extends TestMember {
  /** The Cookie header of a signed-in person past the age gate. */
  cookie: string;
  customerId: string;
}

/**
 * Starts the site with a stand-in for its payment provider, which sells 14.99 a month and 119.00 a year and sends its
 * events to the site. This process acts as the worker: settled() runs its jobs.
 */
export async function startPaidSite({
  env = {},
  dataDir,
  processes,
  standIn: standInOptions = {},
}: {
  env?: Record<string, string>;
  dataDir?: string;
  processes?: number;
  standIn?: StandInOptions;
} = {}) {
  const [port, sitePort] = [await findTestPort(), await findTestPort()];
  const apiUrl = `http://127.0.0.1:${port}`;
  // This process also calls the provider, as the worker and in direct calls of the domain.
  config.billing.stripe = { secretKey: SECRET_KEY, webhookSecrets: [WEBHOOK_SECRET], apiUrl };
  const webhook = `http://127.0.0.1:${sitePort}${paths.api.billingWebhook("stripe")}`;
  const standIn = await startStripeStandIn({
    port,
    secretKey: SECRET_KEY,
    webhook: { url: webhook, secret: WEBHOOK_SECRET },
    ...standInOptions,
  });
  const { control } = standIn;
  // The offer existed before the site started.
  control.webhooks({ mode: "drop" });
  const stripe = clientOf(standIn);
  const product = await stripe.products.create({ name: "Membership" });
  const common = { product: product.id, currency: "usd" };
  const monthly = await stripe.prices.create({
    ...common,
    unit_amount: 1499,
    recurring: { interval: "month" },
  });
  const yearly = await stripe.prices.create({
    ...common,
    unit_amount: 11_900,
    recurring: { interval: "year" },
  });
  await syncOffer({ isDryRun: false });
  control.webhooks({});
  const begin = () =>
    startSite({
      port: sitePort,
      dataDir,
      processes,
      env: {
        STRIPE_SECRET_KEY: SECRET_KEY,
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        STRIPE_API_URL: apiUrl,
        ...env,
      },
    });
  let site = await begin();

  return {
    get site() {
      return site;
    },
    standIn,
    control,
    stripe,
    webhook,
    product,
    monthly,
    yearly,
    async restart() {
      await site.stop();
      site = await begin();
    },
    /** A person who is a customer at the provider and has bought nothing yet. */
    async createPayer(email?: string): Promise<Payer> {
      const member = await createMember({ email });
      const metadata = { site: config.billing.site, user: member.id };
      const customer = await stripe.customers.create({ email: member.email, metadata });
      await db
        .insert(customers)
        .values({ userId: member.id, provider: "stripe", providerCustomerId: customer.id });
      return { ...member, cookie: await signedInCookie(member.id), customerId: customer.id };
    },
    /** Buys directly at the provider. Returns the subscription's id. */
    async buy(
      { customerId }: Payer,
      {
        price = monthly.id,
        card = "4242",
        trialDays,
      }: { price?: string; card?: string; trialDays?: number } = {},
    ): Promise<string> {
      const metadata = { site: config.billing.site };
      const session = await stripe.checkout.sessions.create({
        mode: "subscription",
        customer: customerId,
        line_items: [{ price, quantity: 1 }],
        metadata,
        subscription_data: { metadata, ...(trialDays ? { trial_period_days: trialDays } : {}) },
        success_url: `${site.origin}/`,
        cancel_url: `${site.origin}/`,
      });
      await submit(session.url, { card });
      const { subscription } = await stripe.checkout.sessions.retrieve(session.id);
      if (typeof subscription !== "string") throw new Error("Nothing was bought");
      return subscription;
    },
    settled: () => settle(control),
    async stop(): Promise<void> {
      await Promise.all([site.stop(), standIn.stop()]);
    },
  };
}
