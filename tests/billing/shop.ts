import type Stripe from "stripe";
import { config } from "#app/config.server.ts";
import type { Purchase } from "#app/domain/billing/checkout.server.ts";
import { mirrorOffer } from "#app/domain/billing/mirror-offer.server.ts";
import { listOffer } from "#app/domain/billing/offer.server.ts";
import { type StripeStandIn, startStripeStandIn } from "#scripts/dev/stripe/stand-in.ts";
import { createMember, type TestMember } from "#tests/support/people.ts";
import { clientOf } from "./stand-in-site.ts";

export const MONTHLY = "price_demo_monthly";
export const YEARLY = "price_demo_yearly";

/** The demo's offer at a stand-in of its own, which this process sells from. The month has a free trial of a week. */
export async function openShop(): Promise<{
  standIn: StripeStandIn;
  stripe: Stripe;
  close(): Promise<void>;
}> {
  const standIn = await startStripeStandIn({ seed: true });
  config.billing.stripe = { secretKey: standIn.secretKey, webhookSecrets: [], apiUrl: standIn.origin };
  await mirrorOffer({ isDryRun: false });
  return {
    standIn,
    stripe: clientOf(standIn),
    close: () => {
      config.billing.stripe = null;
      return standIn.stop();
    },
  };
}

/** What is sent by somebody who has read and agreed. */
export async function purchaseOf(member: TestMember, priceId = MONTHLY): Promise<Purchase> {
  const person = { userId: member.id, email: member.email };
  const plan = (await listOffer(person)).find((one) => one.priceId === priceId);
  if (plan === undefined) throw new Error(`${priceId} is not for sale`);
  return { ...person, priceId, consentHash: plan.termsHash, network: null };
}

export async function newPurchase(priceId = MONTHLY): Promise<Purchase> {
  return purchaseOf(await createMember(), priceId);
}
