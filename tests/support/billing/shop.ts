import type Stripe from "stripe";
import { config } from "#app/config.server.ts";
import type { Purchase } from "#app/domain/billing/checkout/start-checkout.server.ts";
import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { syncOffer } from "#app/domain/billing/sync/write-offer.server.ts";
import { type StripeStandIn, startStripeStandIn } from "#demo/stripe/stand-in.ts";
import { createMember, type TestMember } from "#tests/support/people.ts";
import { clientOf } from "./stand-in-site.ts";

export const MONTHLY = "price_demo_monthly";
export const YEARLY = "price_demo_yearly";

/**
 * The demo's offer at a separate stand-in, from which this process sells. The monthly plan has a free trial of a
 * week.
 */
export async function openShop(): Promise<{
  standIn: StripeStandIn;
  stripe: Stripe;
  close(): Promise<void>;
}> {
  const standIn = await startStripeStandIn({ seed: true });
  config.billing.stripe = { secretKey: standIn.secretKey, webhookSecrets: [], apiUrl: standIn.origin };
  await syncOffer({ isDryRun: false });
  return {
    standIn,
    stripe: clientOf(standIn),
    close: () => {
      config.billing.stripe = null;
      return standIn.stop();
    },
  };
}

/** The purchase of a member who has agreed to the current terms. */
export async function purchaseOf(member: TestMember, priceId = MONTHLY): Promise<Purchase> {
  const person = { userId: member.id, email: member.email };
  const plan = (await listOffer(person)).plans.find((one) => one.priceId === priceId);
  if (plan === undefined) throw new Error(`${priceId} is not for sale`);
  return { ...person, priceId, consentHash: plan.termsHash, network: null };
}

export async function newPurchase(priceId = MONTHLY): Promise<Purchase> {
  return purchaseOf(await createMember(), priceId);
}
