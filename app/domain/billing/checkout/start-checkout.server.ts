import { db } from "#db/client.server.ts";
import { listOffer, type OfferedPlan } from "../offers/plans.server.ts";
import type { BillingProvider, CheckoutSnapshot } from "../providers/contract/provider.ts";
import { oneAtATime } from "../providers/one-at-a-time.ts";
import { findClosing, sellingProvider } from "../providers/providers.server.ts";
import { isUnreachable, unlessUnreachable, withTimeout } from "../providers/timeout.ts";
import { refreshCustomer } from "../sync/reconcile.server.ts";
import { completeCheckout } from "../sync/write-checkout.server.ts";
import { syncOffer } from "../sync/write-offer.server.ts";
import { markOfFormerProviders } from "../sync/write-subscription.server.ts";
import { closePage, openPage } from "./checkout-page.server.ts";
import { closeCheckout, mayBeOutdated, type OpenCheckout, reserveCheckout } from "./checkout-rows.server.ts";

const MAX_ROUNDS = 6;

export interface Purchase {
  userId: string;
  email: string;
  priceId: string;
  consentHash: string | null;
  network: string | null;
}

export type CheckoutStart =
  | { kind: "page"; url: string }
  | { kind: "paid"; checkoutId: string }
  | { kind: "subscribed" }
  | { kind: "closing" }
  | { kind: "refused"; why: CheckoutRefusal; reason?: string };

type CheckoutRefusal = "priceGone" | "noConsent" | "termsChanged" | "replaced";

export async function findRefusal(purchase: Purchase): Promise<CheckoutRefusal | null> {
  const choice = await checkChoice(purchase);
  return "why" in choice ? choice.why : null;
}

/** The same choice again gets the same page; another choice closes the page of the first. Throws ProviderUnreachable. */
export async function startCheckout(purchase: Purchase): Promise<CheckoutStart> {
  const provider = sellingProvider();
  if (provider === null) return { kind: "refused", why: "priceGone" };
  const choice = await checkChoice(purchase);
  if ("why" in choice) return { kind: "refused", why: choice.why };
  return withTimeout(takeRounds(provider, purchase, choice.plan));
}

async function checkChoice(purchase: Purchase): Promise<{ plan: OfferedPlan } | { why: CheckoutRefusal }> {
  const { plans } = await listOffer(purchase);
  const plan = plans.find(({ priceId }) => priceId === purchase.priceId);
  if (plan === undefined) return { why: "priceGone" };
  if (purchase.consentHash === null) return { why: "noConsent" };
  return purchase.consentHash === plan.termsHash ? { plan } : { why: "termsChanged" };
}

async function takeRounds(
  provider: BillingProvider,
  purchase: Purchase,
  plan: OfferedPlan,
): Promise<CheckoutStart> {
  // Otherwise an unreported subscription could be sold twice, or an ended one could block the purchase.
  if (await mayBeOutdated(purchase.userId)) await refreshCustomer(purchase.userId);
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const reserved = await reserveCheckout({ ...purchase, provider: provider.name }, plan);
    if (reserved.kind === "closing") return reserved;
    if (reserved.kind === "subscribed") {
      if (round > 0 || !(await isRefreshed(purchase))) return reserved;
      continue;
    }
    const { kind, checkout } = reserved;
    const answer = await (kind === "sameChoice"
      ? openPage(provider, purchase, checkout)
      : closePage(findClosing(checkout.provider), purchase, checkout));
    if (answer.kind === "page") return answer;
    if (answer.kind === "unsaleable") {
      // A plan that the provider does not sell must not be offered again.
      await unlessUnreachable(
        oneAtATime("offer", "refresh", () => syncOffer({ isDryRun: false })),
        null,
      );
      return { kind: "refused", why: "priceGone", reason: answer.refusal.message };
    }
    if (answer.kind === "replaced" && kind === "sameChoice") break;
    if (answer.kind === "over" && (await storeEnd(checkout, answer.snapshot))) {
      return { kind: "paid", checkoutId: checkout.id };
    }
  }
  return { kind: "refused", why: "replaced" };
}

async function isRefreshed({ userId }: Purchase): Promise<boolean> {
  await markOfFormerProviders({ userId });
  return !(await isUnreachable(refreshCustomer(userId)));
}

async function storeEnd(checkout: OpenCheckout, snapshot: CheckoutSnapshot | null): Promise<boolean> {
  if (snapshot === null) await closeCheckout(checkout.id, "expired", checkout.providerCheckoutId);
  else await db.transaction((tx) => completeCheckout(tx, snapshot));
  return snapshot?.status === "completed";
}
