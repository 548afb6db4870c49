import { eq } from "drizzle-orm";
import { PAID_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Transaction } from "#db/client.server.ts";
import { prices, products, type subscriptions } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatPrice } from "../rules/format-money.ts";
import type { MailFacts } from "./mail-facts.server.ts";
import { claimBeginning, claimMail, mailOnce, secondsOf, sendMail, unbegunKey } from "./send-once.server.ts";
import { planOf } from "./templates/billing-mail.tsx";
import {
  begunMail,
  cancelledMail,
  endedMail,
  planChangedMail,
  unbegunMail,
} from "./templates/lifecycle-mails.tsx";

const DAY_MS = 24 * 3600 * 1000;
/** A trial of at most this length is reminded of its end in the confirmation. */
const SHORT_TRIAL_DAYS = 7;

export async function mailTrialBegun(
  tx: Transaction,
  { subscription, context, terms, nextCharge }: MailFacts,
): Promise<void> {
  const { id, userId, created, currentPeriodEnd } = subscription;
  if (!(await claimBeginning(tx, subscription, created))) return;
  const end = subscription.trialEnd ?? currentPeriodEnd;
  const start = subscription.trialStart ?? created;
  const days = Math.round((end.getTime() - start.getTime()) / DAY_MS);
  const isShort = days <= SHORT_TRIAL_DAYS;
  if (isShort) await claimMail(tx, { key: `trial-ending:${id}:${secondsOf(end)}`, userId });
  const trial = { days, endsOn: formatDate(end), isShort };
  await sendMail(tx, begunMail(context, { terms, nextCharge: nextCharge(end), trial }));
}

/** Each change is mailed, also one back. A new id for the same price is no change. */
export async function mailPlanChange(
  tx: Transaction,
  { subscription, context, nextCharge }: MailFacts,
  former: typeof subscriptions.$inferSelect,
): Promise<void> {
  const { id, userId, priceId, fetchedAt, currentPeriodStart, currentPeriodEnd } = subscription;
  const before = await findPlan(tx, former.priceId);
  if (before === null || before === planOf(context)) return;
  const key = `plan:${id}:${priceId}:${fetchedAt.getTime()}`;
  const isWithPeriod = currentPeriodStart > former.currentPeriodStart;
  const since = formatDate(isWithPeriod ? currentPeriodStart : new Date());
  const next = subscription.cancelAtPeriodEnd ? null : nextCharge(currentPeriodEnd);
  await mailOnce(tx, { key, userId }, () => planChangedMail(context, { before, since, nextCharge: next }));
}

/** Each cancellation is mailed, also after one was taken back. */
export async function mailCancellation(tx: Transaction, { subscription, context }: MailFacts): Promise<void> {
  const { id, userId, status, canceledAt, cancelAt, currentPeriodEnd } = subscription;
  const happenedAt = canceledAt ?? new Date();
  const key = `cancelled:${id}:${secondsOf(canceledAt ?? currentPeriodEnd)}`;
  const cancelled = {
    on: formatDate(happenedAt),
    endsOn: formatDate(cancelAt ?? currentPeriodEnd),
    isTrial: status === "trialing",
    isOpen: PAID_STATUSES.includes(status),
  };
  await mailOnce(tx, { key, userId, happenedAt }, () => cancelledMail(context, cancelled));
}

export async function mailEnd(
  tx: Transaction,
  { subscription, context, isClosing }: MailFacts,
): Promise<void> {
  const { id, userId, endedAt } = subscription;
  const happenedAt = endedAt ?? new Date();
  if (!(await claimMail(tx, { key: `ended:${id}`, userId, happenedAt })) || isClosing) return;
  await sendMail(tx, endedMail(context, { on: formatDate(happenedAt) }));
}

/** For one that ended before any payment. `isMoneyOnItsWay`: whether a bank transfer was pending before the end. */
export async function mailUnbegun(
  tx: Transaction,
  { subscription, context }: MailFacts,
  isMoneyOnItsWay: boolean,
): Promise<void> {
  const { id, userId, endedAt, status } = subscription;
  const happenedAt = endedAt ?? new Date();
  const ended = { on: formatDate(happenedAt), isCancelled: status === "canceled", isMoneyOnItsWay };
  await mailOnce(tx, { key: unbegunKey(id), userId, happenedAt }, () => unbegunMail(context, ended));
}

async function findPlan(tx: Transaction, priceId: string): Promise<string | null> {
  const [found] = await tx
    .select({ price: prices, planName: products.name })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(eq(prices.id, priceId));
  return found ? planOf({ planName: found.planName, price: formatPrice(found.price) }) : null;
}
