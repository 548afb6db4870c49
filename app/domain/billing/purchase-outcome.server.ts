import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { takePoint } from "#app/domain/auth/rate-limits.server.ts";
import { db } from "#db/client.server.ts";
import { checkouts, customers, subscriptions, trials } from "#db/schema/billing.ts";
import { completeCheckout } from "./complete-checkout.server.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { withPatience } from "./patience.ts";
import { isProviderAway } from "./provider-away.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import type { CheckoutSnapshot } from "./providers/provider.ts";
import { refreshCustomer } from "./reconcile.server.ts";

type Checkout = typeof checkouts.$inferSelect;

/** What came of a purchase, as far as it is known now. */
export type PurchaseOutcome =
  | { kind: "done" }
  /** Paid, or about to be; the last word is still to come. */
  | { kind: "pending" }
  /** Ordered at a bank, whose money takes days. */
  | { kind: "transfer" }
  /** Paid, and not written down: something else was sold than was agreed to. Somebody has to look into it. */
  | { kind: "mismatch" }
  /** Our rows know of no payment, and the provider was asked too often to be asked again. */
  | { kind: "unasked" }
  /** Not paid yet: the provider's page is still there. */
  | { kind: "open"; url: string | null }
  | { kind: "expired" }
  | { kind: "replaced" }
  /** There was a trial before, by address, card or bank account: this one was ended, and nothing charged. */
  | { kind: "secondTrial" }
  /** It was bought, and stands otherwise than it should: the subscription says how. */
  | { kind: "otherwise" }
  /** The provider does not answer. */
  | { kind: "away" };

/**
 * Asks the provider what came of this person's purchase and writes it, unless that is known, or was asked too often, or it
 * is bought and they were asked about within two seconds. Grants nothing by itself: what opens is decided by our rows, as
 * everywhere. Null when they have no such purchase.
 */
export async function findPurchaseOutcome(
  userId: string,
  checkoutId: string,
): Promise<PurchaseOutcome | null> {
  const before = await findCheckout(userId, checkoutId);
  if (before === null) return null;
  const known = await outcomeOf(before);
  if (known.kind === "done" || known.kind === "secondTrial") return known;
  if (isBought(known) && (await isJustCompared(userId))) return known;
  // Who reloads and reloads is told what our rows say, and events go on telling these. That nothing was paid they cannot say.
  if ((await takePoint("returnsByUser", userId)) !== null)
    return isBought(known) ? known : { kind: "unasked" };
  let told: CheckoutSnapshot | null = null;
  try {
    // However often the page is loaded at once, the provider is asked once.
    const asked = oneAtATime(`${userId} ${checkoutId}`, "return", async () => {
      const snapshot = await takeIn(before);
      await refreshCustomer(userId);
      return snapshot;
    });
    told = await withPatience(asked);
  } catch (error) {
    if (isProviderAway(error)) return { kind: "away" };
    throw error;
  }
  const after = await findCheckout(userId, checkoutId);
  if (told?.status === "completed" && after?.status !== "completed") return { kind: "mismatch" };
  const outcome = after && (await outcomeOf(after));
  return outcome?.kind === "pending" && told?.isPaymentPending ? { kind: "transfer" } : outcome;
}

/** Of what is not, one that is paid this very moment would be missed. */
function isBought({ kind }: PurchaseOutcome): boolean {
  return kind === "pending" || kind === "transfer" || kind === "otherwise";
}

async function isJustCompared(userId: string): Promise<boolean> {
  const isRecent = sql`${customers.reconciledAt} > now() - interval '2 seconds'`;
  return (await db.$count(customers, and(eq(customers.userId, userId), isRecent))) > 0;
}

async function findCheckout(userId: string, checkoutId: string): Promise<Checkout | null> {
  if (!z.uuid().safeParse(checkoutId).success) return null;
  const isOwn = and(eq(checkouts.id, checkoutId), eq(checkouts.userId, userId));
  const [checkout] = await db.select().from(checkouts).where(isOwn);
  return checkout ?? null;
}

/** One that was replaced or given up may have been paid in the same second. */
async function takeIn({ provider: name, providerCheckoutId }: Checkout): Promise<CheckoutSnapshot | null> {
  const provider = currentProvider();
  if (provider?.name !== name || providerCheckoutId === null) return null;
  const snapshot = await provider.readCheckout(providerCheckoutId);
  if (snapshot === null) return null;
  await db.transaction((tx) => completeCheckout(tx, snapshot), { accessMode: "read write" });
  return snapshot;
}

async function outcomeOf({ status, url, subscriptionId, trialDays }: Checkout): Promise<PurchaseOutcome> {
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
    case "canceled":
      return { kind: trialDays !== null && !(await hasTrial(id)) ? "secondTrial" : "otherwise" };
    default:
      return { kind: "otherwise" };
  }
}

async function hasTrial(subscriptionId: string): Promise<boolean> {
  const [trial] = await db.select().from(trials).where(eq(trials.subscriptionId, subscriptionId));
  return trial !== undefined;
}
