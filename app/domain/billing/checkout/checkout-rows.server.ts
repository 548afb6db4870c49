import { and, eq, getTableColumns, isNotNull, isNull, or, sql } from "drizzle-orm";
import { PAID_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db, type Transaction } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { flag, readOne } from "#db/rows.ts";
import { users } from "#db/schema/auth.ts";
import { type Checkout, checkouts } from "#db/schema/checkouts.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import type { OfferedPlan } from "../offers/plans.server.ts";
import type { CheckoutSnapshot } from "../providers/contract/provider.ts";
import { findClosing } from "../providers/providers.server.ts";
import { blocksPurchase } from "../rules/blocks-purchase.ts";
import { isCurrent } from "../subscriptions/days-of-grace.server.ts";

const OPEN = {
  ...getTableColumns(checkouts),
  /** Still without a page after this time, it may be given up: decision 074. */
  isStale: sql<boolean>`${checkouts.createdAt} < now() - interval '10 minutes'`,
};
const isOpenOf = (userId: string) => and(eq(checkouts.userId, userId), eq(checkouts.status, "open"));
export type OpenCheckout = Checkout & { isStale: boolean };

type Reservation =
  | { kind: "sameChoice" | "otherChoice"; checkout: OpenCheckout }
  | { kind: "subscribed" }
  | { kind: "closing" };

interface Buyer {
  userId: string;
  network: string | null;
  provider: string;
}

/** The lock on the user serializes clicks and tabs; nothing outside the database is awaited under it. */
export async function reserveCheckout(reserving: Buyer, plan: OfferedPlan): Promise<Reservation> {
  const { userId } = reserving;
  return db.transaction(async (tx) => {
    const [buyer] = await tx
      .select({ deletionRequestedAt: users.deletionRequestedAt })
      .from(users)
      .where(eq(users.id, userId))
      .for("no key update");
    if (buyer?.deletionRequestedAt) return { kind: "closing" };
    const facts = { ...getTableColumns(subscriptions), isCurrent: isCurrent({ of: sql`subscriptions` }) };
    const stored = await tx.select(facts).from(subscriptions).where(eq(subscriptions.userId, userId));
    const now = await readDatabaseTime(tx);
    if (stored.some((one) => blocksPurchase(one, now, reserving.provider))) return { kind: "subscribed" };
    const [open] = await tx.select(OPEN).from(checkouts).where(isOpenOf(userId));
    if (open !== undefined) {
      const isSameTerms = open.priceId === plan.priceId && open.consentHash === plan.termsHash;
      const isSame = isSameTerms && open.provider === reserving.provider;
      return { kind: isSame ? "sameChoice" : "otherChoice", checkout: open };
    }
    return { kind: "sameChoice", checkout: await insertCheckout(tx, reserving, plan) };
  });
}

/** An event about a purchase or a renewal may be missing. */
export function mayBeOutdated(userId: string): Promise<boolean> {
  return readOne(db, flag)`SELECT
    EXISTS (SELECT FROM checkouts WHERE user_id = ${userId} AND created_at > now() - interval '2 days')
      AND NOT EXISTS (SELECT FROM checkouts WHERE user_id = ${userId} AND status = 'open')
    OR EXISTS (SELECT FROM subscriptions WHERE user_id = ${userId}
      AND (status = 'incomplete' OR status IN ${PAID_STATUSES} AND current_period_end < now()))`;
}

export async function hasOpenCheckout(tx: Transaction, userId: string): Promise<boolean> {
  return (await tx.$count(checkouts, isOpenOf(userId))) > 0;
}

/** False when the purchase is over or the account deleted: nobody may be sent to this page then. */
export async function storePage(checkoutId: string, page: CheckoutSnapshot): Promise<boolean> {
  const isNew = or(isNull(checkouts.providerCheckoutId), eq(checkouts.providerCheckoutId, page.id));
  const isOpen = and(eq(checkouts.status, "open"), isNotNull(checkouts.userId));
  const stored = await db
    .update(checkouts)
    .set({ providerCheckoutId: page.id, url: page.url })
    .where(and(eq(checkouts.id, checkoutId), isOpen, isNew));
  return stored.count > 0;
}

/** A null page id closes only a row without one: another tab may have stored one by now. */
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

/** Closes the row of an open checkout. One with a page that can be closed at its provider is returned instead, to be closed there first. */
export async function closeOpenCheckout(userId: string) {
  return db.transaction(async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("no key update");
    const [open] = await tx.select().from(checkouts).where(isOpenOf(userId));
    if (open?.providerCheckoutId && findClosing(open.provider) !== null)
      return { id: open.id, provider: open.provider, page: open.providerCheckoutId };
    const ended = { status: "replaced" as const, url: null, endedAt: sql`now()` };
    await tx.update(checkouts).set(ended).where(isOpenOf(userId));
    return null;
  });
}

async function insertCheckout(tx: Transaction, { userId, network, provider }: Buyer, plan: OfferedPlan) {
  const { priceId, currency, interval, intervalCount, firstPeriod } = plan;
  const terms = { priceId, currency, unitAmount: plan.amount, interval, intervalCount, firstPeriod };
  const consent = { consentText: plan.terms, consentHash: plan.termsHash };
  const [checkout] = await tx
    .insert(checkouts)
    .values({ userId, network, provider, ...terms, ...consent })
    .returning(OPEN);
  if (checkout === undefined) throw new Error("The purchase was not stored");
  return checkout;
}
