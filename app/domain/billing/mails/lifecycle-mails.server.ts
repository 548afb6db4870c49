import { eq, sql } from "drizzle-orm";
import { formatDate } from "#app/dates.ts";
import {
  BEGUN_STATUSES,
  ENDED_STATUSES,
  isTrial,
  isUncollectedAt,
  OVERDUE_STATUSES,
  PAID_STATUSES,
  renews,
} from "#app/domain/access/subscription-state.ts";
import type { Transaction } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { prices, products } from "#db/schema/prices.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import { isMoved } from "../rules/cancellation-state.ts";
import { MAIL_KEYS } from "../rules/mail-keys.ts";
import { hasSuccessor } from "../subscriptions/successor.server.ts";
import { mailNewestPayment } from "./payment-mails.server.ts";
import {
  claimBeginning,
  claimEndings,
  claimMail,
  isMailed,
  mailOnce,
  paidTwiceKey,
  returnedPaymentKey,
  secondsOf,
  sendMail,
} from "./send-once.server.ts";
import { collectionPausedMail, collectionResumedMail } from "./templates/collection-mails.tsx";
import {
  begunMail,
  canceledMail,
  endedMail,
  keptMail,
  paidTwiceMail,
  planChangedMail,
  unbegunMail,
} from "./templates/lifecycle-mails.tsx";
import { findMailFacts, type MailFacts, planOf, trialOf } from "./templates/mail-facts.server.ts";
import { movedMail } from "./templates/moving-mails.tsx";

/** Call it after every write of a subscription: each fact is emailed once. */
export async function mailAboutSubscription(
  tx: Transaction,
  { before, after }: { before: Subscription | null; after: Subscription },
): Promise<void> {
  const facts = await findMailFacts(tx, after.id);
  if (facts === null) return;
  if (after.status === "active") await mailNewestPayment(tx, facts);
  // A bank may also return the last payment of an ended subscription.
  const mayOwe = OVERDUE_STATUSES.includes(after.status) || after.status === "canceled";
  const isPaymentReturned = before?.isPaymentPending && !after.isPaymentPending && mayOwe;
  if (isPaymentReturned) await claimMail(tx, { key: returnedPaymentKey(after), userId: after.userId });
  // Another prepaid period is another purchase.
  const isChanged = before !== null && before.priceId !== after.priceId && !after.isPrepaid;
  if (isChanged && isBegun(after)) await mailPlanChange(tx, facts, before);
  if (before !== null && renews(after)) await mailCollection(tx, facts, before);
  const isKept = before?.cancelAtPeriodEnd && !after.cancelAtPeriodEnd;
  if (isKept && PAID_STATUSES.includes(after.status)) await mailKept(tx, facts, before);
  const isTold = isEnding(before) && isToldTwice(after);
  if (isEnding(after) && !isTold) await mailCancellation(tx, facts);
  if (!isEnding(after) && isTrial(facts.subscription)) await mailTrialBegun(tx, facts);
  if (!ENDED_STATUSES.includes(after.status)) return;
  if (!after.hasBegun) await mailUnbegun(tx, facts, before?.isPaymentPending === true);
  else if (before !== null && isBegun(before)) await mailEnd(tx, facts, before);
}

/**
 * The site sold nothing twice: the same page was paid again, or an old one. Claimed before the subscription is written, because
 * this email takes the place of the one about its cancellation.
 */
export function claimPaidTwice(tx: Transaction, { id, userId }: { id: string; userId: string }) {
  return claimMail(tx, { key: paidTwiceKey(id), userId });
}

export async function mailPaidTwice(tx: Transaction, subscriptionId: string): Promise<void> {
  const facts = await findMailFacts(tx, subscriptionId);
  if (facts !== null) await sendMail(tx, paidTwiceMail(facts));
}

function isBegun({ status }: Subscription): boolean {
  return status === "paused" || BEGUN_STATUSES.includes(status);
}

function isEnding(row: Subscription | null): boolean {
  return row?.cancelAtPeriodEnd === true && BEGUN_STATUSES.includes(row.status);
}

/** Our own cancellation is a fact at once, and the provider's event about it has another time. */
function isToldTwice({ provider }: Subscription): boolean {
  return capabilitiesOf(provider).truth === "facts";
}

async function mailTrialBegun(tx: Transaction, facts: MailFacts): Promise<void> {
  const { id, userId, created } = facts.subscription;
  if (!(await claimBeginning(tx, facts.subscription, created))) return;
  const { end, isShort } = trialOf(facts.subscription);
  if (isShort) await claimMail(tx, { key: `${MAIL_KEYS.trialEnding}${id}:${secondsOf(end)}`, userId });
  await sendMail(tx, begunMail(facts));
}

/** A new id for the same price is not a change. */
async function mailPlanChange(tx: Transaction, facts: MailFacts, former: Subscription): Promise<void> {
  const { id, userId, priceId, fetchedAt, currentPeriodStart } = facts.subscription;
  const before = await findPlan(tx, former);
  if (before === null || before === planOf(facts)) return;
  const key = `plan:${id}:${priceId}:${fetchedAt.getTime()}`;
  const isAtRenewal = currentPeriodStart > former.currentPeriodStart;
  const since = formatDate(isAtRenewal ? currentPeriodStart : new Date());
  await mailOnce(tx, { key, userId }, () => planChangedMail(facts, { before, since }));
}

async function mailCollection(tx: Transaction, facts: MailFacts, before: Subscription): Promise<void> {
  const { subscription: after } = facts;
  const { id, userId, fetchedAt } = after;
  const [wasPaused, isPaused] = [before, after].map((row) => isUncollectedAt(row, row.currentPeriodEnd));
  const isMoved = before.collectionResumesAt?.getTime() !== after.collectionResumesAt?.getTime();
  const fact = { key: `collection:${id}:${fetchedAt.getTime()}`, userId };
  if (isPaused && (!wasPaused || isMoved)) await mailOnce(tx, fact, () => collectionPausedMail(facts));
  if (wasPaused && !isPaused) await mailOnce(tx, fact, () => collectionResumedMail(facts));
}

async function mailCancellation(tx: Transaction, facts: MailFacts): Promise<void> {
  const { id, userId, canceledAt: happenedAt } = facts.subscription;
  if (await isMailed(tx, paidTwiceKey(id))) return;
  const key = `cancelled:${cancellationOf(facts.subscription)}`;
  if (!(await claimMail(tx, { key, userId, happenedAt }))) return;
  const now = await readDatabaseTime(tx);
  if (!isMoved(facts.subscription)) return sendMail(tx, canceledMail(facts, now));
  await claimEndings(tx, facts.subscription, now);
  await sendMail(tx, movedMail(facts, now));
}

async function mailKept(tx: Transaction, facts: MailFacts, canceled: Subscription): Promise<void> {
  const key = `kept:${cancellationOf(canceled)}`;
  await mailOnce(tx, { key, userId: canceled.userId }, () => keptMail(facts, canceled));
}

function cancellationOf({ id, canceledAt, currentPeriodEnd }: Subscription): string {
  return `${id}:${secondsOf(canceledAt ?? currentPeriodEnd)}`;
}

async function mailEnd(tx: Transaction, facts: MailFacts, before: Subscription): Promise<void> {
  const { id, userId, endedAt: happenedAt, isPrepaid, currentPeriodEnd } = facts.subscription;
  // A prepaid subscription goes on with the next payment, however late.
  const end = isPrepaid ? `${id}:${secondsOf(currentPeriodEnd)}` : id;
  const isNew = await claimMail(tx, { key: `ended:${end}`, userId, happenedAt });
  const [replaced] = await tx.execute(
    sql`SELECT FROM subscriptions s WHERE s.id = ${id} AND ${hasSuccessor()}`,
  );
  if (isNew && !facts.isClosing && replaced === undefined) await sendMail(tx, endedMail(facts, before));
}

async function mailUnbegun(tx: Transaction, facts: MailFacts, wasPaymentPending: boolean): Promise<void> {
  const { id, userId, endedAt: happenedAt } = facts.subscription;
  const fact = { key: `${MAIL_KEYS.unbegun}${id}`, userId, happenedAt };
  await mailOnce(tx, fact, () => unbegunMail(facts, wasPaymentPending));
}

async function findPlan(tx: Transaction, subscription: Subscription): Promise<string | null> {
  const [found] = await tx
    .select({ price: prices, planName: products.name })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(eq(prices.id, subscription.priceId));
  return found ? planOf({ ...found, subscription }) : null;
}
