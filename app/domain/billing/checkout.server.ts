import { db } from "#db/client.server.ts";
import { openPage, withdrawPage } from "./checkout-page.server.ts";
import { closeCheckout, isInDoubt, type OpenCheckout, reserveCheckout } from "./checkout-rows.server.ts";
import { completeCheckout } from "./complete-checkout.server.ts";
import { markFormer } from "./former-provider.server.ts";
import { mirrorOffer } from "./mirror-offer.server.ts";
import { listOffer, type OfferedPlan } from "./offer.server.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { withPatience } from "./patience.ts";
import { isProviderAway } from "./provider-away.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import type { BillingProvider, CheckoutSnapshot } from "./providers/provider.ts";
import { refreshCustomer } from "./reconcile.server.ts";

/** Other tabs may take turns with this one. */
const MOST_ROUNDS = 6;

export interface Purchase {
  userId: string;
  email: string;
  priceId: string;
  /** Of the terms whose box was ticked; null when it was not. */
  consentHash: string | null;
  /** Network part of the address only. */
  network: string | null;
}

export type CheckoutStart =
  /** The provider's page, for this one purchase. */
  | { kind: "page"; url: string }
  /** Paid already: what became of it is on the return page. */
  | { kind: "paid"; checkoutId: string }
  | { kind: "subscribed" }
  | {
      kind: "refused";
      why: "priceGone" | "noConsent" | "termsChanged" | "replaced";
      /** The provider's reason, for the host. */
      reason?: string;
    };

type Refusal = Extract<CheckoutStart, { kind: "refused" }>["why"];

/** Why this cannot be bought as it stands, without asking the provider; null when it can. */
export async function findRefusal(purchase: Purchase): Promise<Refusal | null> {
  const plan = await findPlan(purchase);
  return plan === null ? "priceGone" : consentProblem(purchase, plan);
}

/**
 * The page on which this is paid, the same one however often it is asked for. There is one open purchase for a person: a
 * choice of something else closes the one before. Throws ProviderUnreachable; nothing is lost then.
 */
export async function startCheckout(purchase: Purchase): Promise<CheckoutStart> {
  const provider = currentProvider();
  const plan = await findPlan(purchase);
  if (provider === null || plan === null) return { kind: "refused", why: "priceGone" };
  const problem = consentProblem(purchase, plan);
  if (problem !== null) return { kind: "refused", why: problem };
  return withPatience(takeRounds(provider, purchase, plan));
}

async function findPlan(purchase: Purchase): Promise<OfferedPlan | null> {
  return (await listOffer(purchase)).find(({ priceId }) => priceId === purchase.priceId) ?? null;
}

function consentProblem({ consentHash }: Purchase, plan: OfferedPlan): Refusal | null {
  if (consentHash === null) return "noConsent";
  return consentHash === plan.termsHash ? null : "termsChanged";
}

async function takeRounds(
  provider: BillingProvider,
  purchase: Purchase,
  plan: OfferedPlan,
): Promise<CheckoutStart> {
  // What nobody has told us of must not be sold twice, nor keep anybody from buying.
  if (await isInDoubt(purchase.userId)) await refreshCustomer(purchase.userId);
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const reserved = await reserveCheckout({ ...purchase, provider: provider.name }, plan);
    if (reserved.kind === "subscribed") {
      if (round > 0 || !(await isAskedAgain(provider, purchase))) return reserved;
      continue;
    }
    const { kind, checkout } = reserved;
    const answer = await (kind === "ours" ? openPage : withdrawPage)(provider, purchase, checkout);
    if (answer.kind === "page") return answer;
    if (answer.kind === "unsaleable") {
      await refreshOffer();
      return { kind: "refused", why: "priceGone", reason: answer.refusal.message };
    }
    if (answer.kind === "replaced" && kind === "ours") break;
    if (answer.kind === "over" && (await isPaid(checkout, answer.snapshot))) {
      return { kind: "paid", checkoutId: checkout.id };
    }
  }
  return { kind: "refused", why: "replaced" };
}

/** What stands in the way of a purchase may be sold where this site's provider knows nothing of it. */
async function isAskedAgain(provider: BillingProvider, { userId }: Purchase): Promise<boolean> {
  try {
    await markFormer(provider.name, { userId });
    await refreshCustomer(userId);
    return true;
  } catch (error) {
    if (isProviderAway(error)) return false;
    throw error;
  }
}

/** What the provider does not sell must not be offered to the next. */
async function refreshOffer(): Promise<void> {
  try {
    await oneAtATime("offer", "refresh", () => mirrorOffer({ isDryRun: false }));
  } catch (error) {
    if (!isProviderAway(error)) throw error;
  }
}

/** Writes down how a purchase ended. */
async function isPaid(checkout: OpenCheckout, snapshot: CheckoutSnapshot | null): Promise<boolean> {
  if (snapshot === null) await closeCheckout(checkout.id, "expired", checkout.providerCheckoutId);
  else await db.transaction((tx) => completeCheckout(tx, snapshot), { accessMode: "read write" });
  return snapshot?.status === "completed";
}
