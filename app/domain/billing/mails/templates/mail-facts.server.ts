import { eq, isNotNull, sql } from "drizzle-orm";
import { DAY_MS, formatDate, formatMinute } from "#app/dates.ts";
import type { Transaction } from "#db/client.server.ts";
import { users } from "#db/schema/auth.ts";
import { checkouts } from "#db/schema/checkouts.ts";
import { type Price, prices, products } from "#db/schema/prices.ts";
import { type Subscription, subscriptions } from "#db/schema/subscriptions.ts";
import { formatPrice } from "../../rules/format-money.ts";
import { chargeText, lastChargeSentence, unchargedText } from "../../rules/next-charge-text.ts";
import { hasBeenPaid } from "../../subscriptions/has-been-paid.server.ts";

export type MailFacts = NonNullable<Awaited<ReturnType<typeof findMailFacts>>>;

/** The end of a trial is announced this long before. For a trial no longer than that, the confirmation announces it. */
export const TRIAL_REMINDER_DAYS = 7;

export async function findMailFacts(tx: Transaction, subscriptionId: string) {
  const [found] = await tx
    .select({
      subscription: subscriptions,
      price: prices,
      hasPaid: hasBeenPaid({ of: sql`subscriptions` }),
      planName: products.name,
      to: users.email,
      isClosing: isNotNull(users.deletionRequestedAt).mapWith(Boolean),
    })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .innerJoin(users, eq(users.id, subscriptions.userId))
    .where(eq(subscriptions.id, subscriptionId));
  if (found === undefined) return null;
  const { hasPaid, ...facts } = found;
  const subscription = { ...facts.subscription, hasPaid };
  return { ...facts, subscription, terms: await findTerms(tx, subscription) };
}

interface Plan {
  planName: string;
  price: Price;
  subscription: Pick<Subscription, "isPrepaid">;
}

export function planOf({ planName, price, subscription }: Plan): string {
  return `${planName}, ${formatPrice(price, subscription)}`;
}

/** In place of the next charge, where there is none. */
export function prepaidText({ currentPeriodEnd }: Pick<Subscription, "currentPeriodEnd">): string {
  return `You have access until ${formatMinute(currentPeriodEnd)}. Your subscription is paid once and does not renew, so there is nothing to cancel.`;
}

export function nextChargeOf({ subscription, price }: MailFacts, on: Date): string {
  return unchargedText(subscription, on) ?? chargeText({ ...subscription, price }, on);
}

export function lastChargeOf({ subscription, price }: Pick<MailFacts, "subscription" | "price">): string {
  return lastChargeSentence({ ...subscription, price });
}

export function untilEnd({ cancelAt }: Pick<Subscription, "cancelAt">): string {
  return cancelAt === null ? "until you cancel it" : `until it ends on ${formatDate(cancelAt)}`;
}

export function howToStopRenewal({ subscription }: Pick<MailFacts, "subscription">): string {
  return `If you do not want it to renew, cancel before ${formatMinute(subscription.currentPeriodEnd)}.`;
}

export function trialOf({ created, currentPeriodEnd, trialStart, trialEnd }: Subscription) {
  const end = trialEnd ?? currentPeriodEnd;
  const days = Math.round((end.getTime() - (trialStart ?? created).getTime()) / DAY_MS);
  return { days, end, isShort: days <= TRIAL_REMINDER_DAYS };
}

/** Until a purchase is linked to its subscription, the newest one at the same price counts. */
async function findTerms(tx: Transaction, { id, userId, priceId }: Subscription): Promise<string | null> {
  const [checkout] = await tx
    .select({ terms: checkouts.consentText })
    .from(checkouts)
    .where(
      sql`${checkouts.userId} = ${userId} AND (${checkouts.subscriptionId} = ${id} OR ${checkouts.subscriptionId} IS NULL
        AND ${checkouts.priceId} = ${priceId} AND ${checkouts.status} IN ('open', 'completed'))`,
    )
    .orderBy(sql`${checkouts.subscriptionId} NULLS LAST`, sql`${checkouts.createdAt} DESC`)
    .limit(1);
  return checkout?.terms ?? null;
}
