import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.server.ts";
import { prices, products, type Subscription } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { type MailFacts, planOf, trialOf } from "./mail-facts.server.ts";
import { claimBeginning, claimMail, mailOnce, secondsOf, sendMail, unbegunKey } from "./send-once.server.ts";
import {
  begunMail,
  cancelledMail,
  endedMail,
  planChangedMail,
  unbegunMail,
} from "./templates/lifecycle-mails.tsx";

export async function mailTrialBegun(tx: Transaction, facts: MailFacts): Promise<void> {
  const { id, userId, created } = facts.subscription;
  if (!(await claimBeginning(tx, facts.subscription, created))) return;
  const { end, isShort } = trialOf(facts.subscription);
  if (isShort) await claimMail(tx, { key: `trial-ending:${id}:${secondsOf(end)}`, userId });
  await sendMail(tx, begunMail(facts));
}

/** Each change is mailed, also one back. A new id for the same price is no change. */
export async function mailPlanChange(tx: Transaction, facts: MailFacts, former: Subscription): Promise<void> {
  const { id, userId, priceId, fetchedAt, currentPeriodStart } = facts.subscription;
  const before = await findPlan(tx, former.priceId);
  if (before === null || before === planOf(facts)) return;
  const key = `plan:${id}:${priceId}:${fetchedAt.getTime()}`;
  const isWithPeriod = currentPeriodStart > former.currentPeriodStart;
  const since = formatDate(isWithPeriod ? currentPeriodStart : new Date());
  await mailOnce(tx, { key, userId }, () => planChangedMail(facts, { before, since }));
}

/** Each cancellation is mailed, also after one was taken back. */
export async function mailCancellation(tx: Transaction, facts: MailFacts): Promise<void> {
  const { id, userId, canceledAt: happenedAt, currentPeriodEnd } = facts.subscription;
  const key = `cancelled:${id}:${secondsOf(happenedAt ?? currentPeriodEnd)}`;
  await mailOnce(tx, { key, userId, happenedAt }, () => cancelledMail(facts));
}

export async function mailEnd(tx: Transaction, facts: MailFacts): Promise<void> {
  const { id, userId, endedAt: happenedAt } = facts.subscription;
  const isNew = await claimMail(tx, { key: `ended:${id}`, userId, happenedAt });
  if (isNew && !facts.isClosing) await sendMail(tx, endedMail(facts));
}

/** For one that ended before any payment. `isMoneyOnItsWay`: whether a bank transfer was pending before the end. */
export async function mailUnbegun(
  tx: Transaction,
  facts: MailFacts,
  isMoneyOnItsWay: boolean,
): Promise<void> {
  const { id, userId, endedAt: happenedAt } = facts.subscription;
  const fact = { key: unbegunKey(id), userId, happenedAt };
  await mailOnce(tx, fact, () => unbegunMail(facts, isMoneyOnItsWay));
}

async function findPlan(tx: Transaction, priceId: string): Promise<string | null> {
  const [found] = await tx
    .select({ price: prices, planName: products.name })
    .from(prices)
    .innerJoin(products, eq(products.id, prices.productId))
    .where(eq(prices.id, priceId));
  return found ? planOf(found) : null;
}
