import { config } from "#app/config.server.ts";
import { mirrorOffer } from "#app/domain/billing/mirror-offer.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { findFreePort } from "#db/free-port.ts";
import { customers } from "#db/schema/billing.ts";
import { type StandInOptions, startStripeStandIn } from "#scripts/dev/stripe/stand-in.ts";
import { createMember, signedInCookie, type TestMember } from "#tests/support/people.ts";
import { startSite } from "#tests/support/site.ts";
import { countDueJobs, runJobs } from "./run-jobs.ts";
import { clientOf, submit, WEBHOOK_SECRET } from "./stand-in-site.ts";

const SECRET_KEY = "sk_test_ofthetest";

export interface Payer extends TestMember {
  /** Of somebody signed in and past the age gate. */
  cookie: string;
  customerId: string;
}

/**
 * The site with a stand-in for its payment provider, which sells 14.99 a month and 119.00 a year and sends its events to
 * the site. This process is the worker: settled() does its jobs.
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
  const [port, sitePort] = [await findFreePort(), await findFreePort()];
  const apiUrl = `http://127.0.0.1:${port}`;
  // For what this process asks itself, as its worker and in calls of the domain.
  config.billing.stripe = { secretKey: SECRET_KEY, webhookSecrets: [WEBHOOK_SECRET], apiUrl };
  const webhook = `http://127.0.0.1:${sitePort}${paths.api.billingWebhook()}`;
  const standIn = await startStripeStandIn({
    port,
    secretKey: SECRET_KEY,
    webhook: { url: webhook, secret: WEBHOOK_SECRET },
    ...standInOptions,
  });
  const { control } = standIn;
  // What is for sale was there before the site was.
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
  await mirrorOffer({ isDryRun: false });
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
    /** Kills the web process and starts another at the same address. */
    async restart() {
      await site.stop();
      site = await begin();
    },
    /** Somebody whom the provider knows and who has bought nothing yet. */
    async createPayer(email?: string): Promise<Payer> {
      const member = await createMember({ email });
      const metadata = { site: config.billing.site, user: member.id };
      const customer = await stripe.customers.create({ email: member.email, metadata });
      await db
        .insert(customers)
        .values({ userId: member.id, provider: "stripe", providerCustomerId: customer.id });
      return { ...member, cookie: await signedInCookie(member.id), customerId: customer.id };
    },
    /** Buys on the provider's page, past ours. Returns the subscription's id. */
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
    /** Resolves when every event has come here and everything that follows from it is done. */
    async settled(): Promise<void> {
      do {
        await control.idle();
        await runJobs();
        await control.idle();
      } while ((await countDueJobs()) > 0);
    },
    async stop(): Promise<void> {
      await Promise.all([site.stop(), standIn.stop()]);
    },
  };
}
