import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { db } from "#db/client.server.ts";
import { type Checkout, checkouts, trials } from "#db/schema/checkouts.ts";
import { customers } from "#db/schema/customers.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import type { CheckoutSnapshot } from "../providers/contract/provider.ts";
import { oneAtATime } from "../providers/one-at-a-time.ts";
import { providerOf } from "../providers/providers.server.ts";
import { unlessUnreachable, withTimeout } from "../providers/timeout.ts";
import { type PurchaseNews, purchaseNews } from "../rules/purchase-sentence.ts";
import { isFreeTrial } from "../rules/purchase-terms.ts";
import { refreshCustomer } from "../sync/reconcile.server.ts";
import { completeCheckout } from "../sync/write-checkout.server.ts";
import { wayToPage } from "./checkout-page.server.ts";

export type PurchaseOutcome =
  | { kind: "open"; url: string | null }
  | { kind: "done" | "pending" | "transfer" | "expired" | "replaced" | "inactive" | "unreachable" }
  /** Paid or not: nobody can be asked, and no event has told. */
  | { kind: "untold" }
  /** Seen, and not certain yet; or too little. `url`: where the rest can be paid. */
  | (PurchaseNews & { url: string | null })
  /** Paid but not stored, because the items sold differ from the purchase terms. The host must look into it. */
  | { kind: "mismatch" }
  | { kind: "rateLimited" }
  /** The address, card or bank account has had a trial: this one was ended without a charge. */
  | { kind: "secondTrial" };

/** Access depends on our rows alone. Null without a purchase. */
export async function findPurchaseOutcome(
  userId: string,
  checkoutId: string,
): Promise<PurchaseOutcome | null> {
  const before = await findCheckout(userId, checkoutId);
  if (before === null) return null;
  const known = await outcomeOf(before);
  if (known.kind === "done" || known.kind === "secondTrial") return known;
  if (isBought(known) && (await isJustReconciled(userId, before.provider))) return known;
  // Above the rate limit we answer from our own rows, which only events have updated. They cannot rule out a payment.
  if ((await takePoint("returnsByUser", userId)) !== null)
    return isBought(known) ? known : { kind: "rateLimited" };
  const work = oneAtATime(`${userId} ${checkoutId}`, "return", async () => {
    const fetched = await fetchAndStore(before);
    await refreshCustomer(userId);
    return fetched;
  });
  const snapshot = await unlessUnreachable(withTimeout(work), "unreachable");
  if (snapshot === "unreachable") return { kind: "unreachable" };
  const after = await findCheckout(userId, checkoutId);
  if (snapshot?.status === "completed" && after?.status !== "completed") return { kind: "mismatch" };
  const outcome = after && (await outcomeOf(after));
  return outcome?.kind === "pending" && snapshot?.isPaymentPending ? { kind: "transfer" } : outcome;
}

/** Other purchases are always fetched: one paid at this moment would be missed otherwise. */
function isBought({ kind }: PurchaseOutcome): boolean {
  return kind === "pending" || kind === "transfer" || kind === "inactive";
}

async function isJustReconciled(userId: string, provider: string): Promise<boolean> {
  const isRecent = sql`${customers.reconciledAt} > now() - interval '2 seconds'`;
  const isTheirs = and(eq(customers.userId, userId), eq(customers.provider, provider));
  return (await db.$count(customers, and(isTheirs, isRecent))) > 0;
}

async function findCheckout(userId: string, checkoutId: string): Promise<Checkout | null> {
  if (!z.uuid().safeParse(checkoutId).success) return null;
  const isOwn = and(eq(checkouts.id, checkoutId), eq(checkouts.userId, userId));
  const [checkout] = await db.select().from(checkouts).where(isOwn);
  return checkout ?? null;
}

/** A replaced or expired purchase may have been paid in the same second. */
async function fetchAndStore(checkout: Checkout): Promise<CheckoutSnapshot | null> {
  const provider = providerOf(checkout.provider);
  if (provider === null || checkout.providerCheckoutId === null) return null;
  const snapshot = await provider.readCheckout(checkout.providerCheckoutId);
  if (snapshot !== null) await db.transaction((tx) => completeCheckout(tx, snapshot));
  return snapshot;
}

/** The provider's page of the member's own purchase; null unless it is open. */
export async function findPayUrl(userId: string, checkoutId: string): Promise<string | null> {
  return (await findCheckout(userId, checkoutId))?.url ?? null;
}

async function outcomeOf(checkout: Checkout): Promise<PurchaseOutcome> {
  const { status, subscriptionId, firstPeriod } = checkout;
  const url = checkout.url && wayToPage(checkout, checkout.url);
  const news = status === "completed" ? null : purchaseNews(checkout);
  if (news !== null) return { ...news, url };
  if (status !== "completed" && !capabilitiesOf(checkout.provider).canReadPage) return { kind: "untold" };
  if (status === "open") return { kind: "open", url };
  if (status !== "completed") return { kind: status };
  const id = subscriptionId ?? "";
  const [subscription] = await db.select().from(subscriptions).where(eq(subscriptions.id, id));
  switch (subscription?.status) {
    case undefined:
      return { kind: "pending" };
    case "incomplete":
      return { kind: subscription.isPaymentPending ? "transfer" : "pending" };
    case "trialing":
    case "active":
      return { kind: "done" };
    case "canceled": {
      const hadTrial = (await db.$count(trials, eq(trials.subscriptionId, id))) > 0;
      return { kind: isFreeTrial(firstPeriod) && !hadTrial ? "secondTrial" : "inactive" };
    }
    default:
      return { kind: "inactive" };
  }
}
