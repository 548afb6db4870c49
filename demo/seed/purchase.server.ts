import { listOffer } from "#app/domain/billing/offers/plans.server.ts";
import { sellerOfOwnPrices } from "#app/domain/billing/providers/providers.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { DEMO_SALE } from "#demo/stand-in/demo-sale.ts";
import { demoId } from "./files.server.ts";

/** The subscriber's purchase at a provider without a catalog. Its stand-in sells it when it starts for the first time. */
export async function seedPurchase(): Promise<void> {
  const provider = sellerOfOwnPrices()?.name;
  const { checkoutId, email } = DEMO_SALE;
  const userId = demoId("user", email);
  const plan = (await listOffer({ userId, email })).plans.at(-1);
  if (provider === undefined || plan === undefined) return;
  const { priceId, currency, interval, intervalCount, firstPeriod } = plan;
  const terms = { priceId, currency, unitAmount: plan.amount, interval, intervalCount, firstPeriod };
  const consent = { consentText: plan.terms, consentHash: plan.termsHash };
  await db.insert(customers).values({ userId, provider, providerCustomerId: `${provider}:demo` });
  await db.insert(checkouts).values({ id: checkoutId, userId, provider, ...terms, ...consent });
}
