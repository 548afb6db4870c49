import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { reconcileAll } from "#app/domain/billing/sync/reconcile.server.ts";
import { paths } from "#app/paths.ts";
import { db } from "#db/client.server.ts";
import { startCcbillStandIn } from "#demo/ccbill/stand-in.ts";
import { startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { emptyState } from "#demo/stripe/state/state.ts";
import { ccbillSettings } from "./ccbill-settings.ts";
import { startPaidSite } from "./paid-site.ts";
import { countDueJobs, runJobs } from "./run-jobs.ts";
import { WEBHOOK_SECRET } from "./stand-in-site.ts";

export const DAY = 86_400;

/** A site that sells at a stand-in for Stripe, whose clock begins `daysAgo`, until it moves to one for CCBill. */
export async function startMovingSite({ daysAgo }: { daysAgo: number }) {
  const stateFile = join(mkdtempSync(join(tmpdir(), "peony-moving-")), "stripe.json");
  writeFileSync(stateFile, JSON.stringify({ ...emptyState(), clockOffset: -daysAgo * DAY }));
  const env: Record<string, string> = {};
  const shop = await startPaidSite({ env, standIn: { stateFile } });
  const { clientAccnum, clientSubacc, flexId, salt, ...rest } = ccbillSettings();
  const { dataLinkUser, dataLinkPassword, webhookToken } = rest;
  const { origin } = new URL(shop.webhook);
  const ccbill = await startCcbillStandIn({
    settings: {
      ...{ clientAccnum, clientSubacc, flexId, salt, dataLinkUser, dataLinkPassword },
      ...{ approvalUrl: `${origin}/subscribe/return`, denialUrl: `${origin}/subscribe` },
    },
    webhookUrl: origin + paths.api.billingWebhook("ccbill", webhookToken),
  });
  let stripe = shop.standIn;
  const settled = async () => {
    do {
      await Promise.all([stripe.control.idle(), ccbill.control.idle()]);
      await runJobs();
      await Promise.all([stripe.control.idle(), ccbill.control.idle()]);
    } while ((await countDueJobs()) > 0);
  };
  return {
    shop,
    ccbill,
    /** The settings of the payments, for a command. */
    get env() {
      const { secretKey, origin: apiUrl } = stripe;
      return { ...env, STRIPE_SECRET_KEY: secretKey, STRIPE_API_URL: apiUrl };
    },
    settled,
    /** Of the stand-in for Stripe that runs now. */
    get control() {
      return stripe.control;
    },
    /** CCBill sells from now on, in the site and in this process. */
    async move() {
      config.billing.ccbill = { ...ccbillSettings(), apiUrl: ccbill.origin };
      config.billing.seller = "ccbill";
      Object.assign(env, {
        BILLING_PROVIDER: "ccbill",
        CCBILL_ACCOUNT: `${clientAccnum}-${clientSubacc}`,
        CCBILL_FLEX_ID: flexId,
        CCBILL_SALT: salt,
        CCBILL_DATALINK_USER: dataLinkUser,
        CCBILL_DATALINK_PASSWORD: dataLinkPassword,
        CCBILL_WEBHOOK_TOKEN: webhookToken,
        CCBILL_WEBHOOK_RANGES: "127.0.0.1/32",
        CCBILL_API_URL: ccbill.origin,
      });
      await shop.restart();
    },
    /** Our own clock cannot be moved, so everything that Stripe and our rows have dated moves into the past. */
    async pass(days: number) {
      await settled();
      const { port, secretKey } = stripe;
      await stripe.stop();
      const isTime = (value: unknown) =>
        Number.isInteger(value) && Number(value) > 1.5e9 && Number(value) < 2.5e9;
      const earlier = (_: string, value: unknown) => (isTime(value) ? Number(value) - days * DAY : value);
      writeFileSync(stateFile, JSON.stringify(JSON.parse(readFileSync(stateFile, "utf8"), earlier)));
      const webhook = { url: shop.webhook, secret: WEBHOOK_SECRET };
      stripe = await startStripeStandIn({ port, secretKey, webhook, stateFile });
      const by = sql`make_interval(secs => ${days * DAY})`;
      await db.execute(sql`UPDATE subscriptions SET current_period_end = current_period_end - ${by},
        current_period_start = current_period_start - ${by}, unknown_since = unknown_since - ${by}`);
      await reconcileAll({ isDryRun: false });
      await settled();
    },
    async stop() {
      config.billing.ccbill = null;
      config.billing.seller = null;
      await Promise.all([shop.site.stop(), stripe.stop(), ccbill.stop()]);
    },
  };
}
