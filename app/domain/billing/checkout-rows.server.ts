import { and, eq, getTableColumns, isNotNull, isNull, ne, or, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts, subscriptions } from "#db/schema/billing.ts";
import type { OfferedPlan } from "./offer.server.ts";
import type { CheckoutSnapshot } from "./providers/provider.ts";
import { isHeld } from "./purchase-rule.ts";

/** Open checkouts, with their age by the database's clock. */
const OPEN = {
  ...getTableColumns(checkouts),
  /** Of no use any more if it has no page yet. */
  isStale: sql<boolean>`${checkouts.createdAt} < now() - interval '10 minutes'`,
};
export type OpenCheckout = typeof checkouts.$inferSelect & { isStale: boolean };

export type Reservation =
  /** For what is wanted, whether it was there already or not. */
  | { kind: "ours"; checkout: OpenCheckout }
  /** Of another plan, or agreed to in other words. */
  | { kind: "other"; checkout: OpenCheckout }
  | { kind: "subscribed" };

interface Buyer {
  userId: string;
  network: string | null;
  provider: string;
}

/**
 * The one row of this person under which anything may be bought now. The lock on the user puts clicks and tabs in a row;
 * nothing outside the database is waited for under it.
 */
export async function reserveCheckout(buyer: Buyer, plan: OfferedPlan): Promise<Reservation> {
  const { userId } = buyer;
  return db.transaction(
    async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
      const stored = await tx.select().from(subscriptions).where(eq(subscriptions.userId, userId));
      const now = new Date();
      if (stored.some((one) => isHeld(one, now))) return { kind: "subscribed" };
      const own = and(eq(checkouts.userId, userId), eq(checkouts.status, "open"));
      const [open] = await tx.select(OPEN).from(checkouts).where(own);
      if (open !== undefined) {
        const isOurs = open.priceId === plan.priceId && open.consentHash === plan.termsHash;
        return { kind: isOurs ? "ours" : "other", checkout: open };
      }
      const checkout = await insertCheckout(tx, buyer, plan);
      return { kind: "ours", checkout: { ...checkout, isStale: false } };
    },
    { accessMode: "read write" },
  );
}

/**
 * Whether the provider may know of a subscription what we do not: something was begun a short while ago and is no longer
 * open, or the period of one has run out and no word has come, or one waits for its first payment, which ends soon.
 */
export async function isInDoubt(userId: string): Promise<boolean> {
  const [row] = await db.execute<{ is: boolean }>(sql`SELECT
    EXISTS (SELECT FROM checkouts WHERE user_id = ${userId} AND created_at > now() - interval '2 days')
      AND NOT EXISTS (SELECT FROM checkouts WHERE user_id = ${userId} AND status = 'open')
    OR EXISTS (SELECT FROM subscriptions WHERE user_id = ${userId}
      AND (status = 'incomplete' OR status IN ('trialing', 'active') AND current_period_end < now())) AS is`);
  return row?.is ?? false;
}

/** False when the row is over, or the account gone: then nobody may be sent to this page. */
export async function storePage(checkoutId: string, page: CheckoutSnapshot): Promise<boolean> {
  const isNew = or(isNull(checkouts.providerCheckoutId), eq(checkouts.providerCheckoutId, page.id));
  const stored = await db
    .update(checkouts)
    .set({ providerCheckoutId: page.id, url: page.url })
    .where(
      and(eq(checkouts.id, checkoutId), eq(checkouts.status, "open"), isNotNull(checkouts.userId), isNew),
    )
    .returning({ id: checkouts.id });
  return stored.length > 0;
}

/** Takes back what was begun. Without a page's id only what has none: another tab may have stored one by now. */
export async function closeCheckout(
  checkoutId: string,
  status: "expired" | "replaced",
  providerCheckoutId: string | null,
): Promise<void> {
  const { providerCheckoutId: stored } = checkouts;
  const isSame =
    providerCheckoutId === null ? isNull(stored) : or(isNull(stored), eq(stored, providerCheckoutId));
  await db
    .update(checkouts)
    .set({ status, providerCheckoutId, url: null, endedAt: sql`now()` })
    .where(and(eq(checkouts.id, checkoutId), eq(checkouts.status, "open"), isSame));
}

/**
 * Closes what this person has begun, but for what has a page at this provider: that page is closed there first, lest
 * another is sold beside it. Returns these. A page that is just being made is not stored any more, and so closed.
 */
export async function closeBegun(
  userId: string,
  provider: string | null,
): Promise<{ id: string; page: string }[]> {
  return db.transaction(
    async (tx) => {
      await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
      const open = and(eq(checkouts.userId, userId), eq(checkouts.status, "open"));
      const hasNoPage = or(isNull(checkouts.providerCheckoutId), ne(checkouts.provider, provider ?? ""));
      await tx
        .update(checkouts)
        .set({ status: "replaced", url: null, endedAt: sql`now()` })
        .where(and(open, hasNoPage));
      const rows = await tx
        .select({ id: checkouts.id, page: checkouts.providerCheckoutId })
        .from(checkouts)
        .where(open);
      return rows.flatMap(({ id, page }) => (page === null ? [] : [{ id, page }]));
    },
    { accessMode: "read write" },
  );
}

async function insertCheckout(tx: Transaction, { userId, network, provider }: Buyer, plan: OfferedPlan) {
  const [checkout] = await tx
    .insert(checkouts)
    .values({
      userId,
      network,
      provider,
      priceId: plan.priceId,
      currency: plan.currency,
      unitAmount: plan.amount,
      interval: plan.interval,
      intervalCount: plan.intervalCount,
      trialDays: plan.trialDays,
      consentText: plan.terms,
      consentHash: plan.termsHash,
    })
    .returning();
  if (checkout === undefined) throw new Error("The purchase was not stored");
  return checkout;
}
