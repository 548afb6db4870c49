import { config } from "#app/config.server.ts";
import { paths } from "#app/paths.ts";
import type { Transaction } from "#db/client.server.ts";
import { dayWords } from "./day-words.ts";
import { begunMail } from "./letters/beginning-mails.tsx";
import { cancelledMail, endedMail, unbegunMail } from "./letters/end-mails.tsx";
import type { NoticeFacts } from "./notice-facts.server.ts";
import { claimBeginning, claimNotice, sendNotice, unbegunKey } from "./write-notice.server.ts";

const DAY_MS = 24 * 3600 * 1000;
/** One that ends sooner is told of when it begins, together with the confirmation. */
const SHORT_TRIAL_DAYS = 7;

export async function tellTrial(
  tx: Transaction,
  { subscription, letter, terms, nextCharge }: NoticeFacts,
): Promise<void> {
  if (!(await claimBeginning(tx, subscription, subscription.created))) return;
  const end = subscription.trialEnd ?? subscription.currentPeriodEnd;
  const start = subscription.trialStart ?? subscription.created;
  const days = Math.round((end.getTime() - start.getTime()) / DAY_MS);
  const isShort = days <= SHORT_TRIAL_DAYS;
  const reminded = `trial-ending:${subscription.id}:${Math.floor(end.getTime() / 1000)}`;
  if (isShort) await claimNotice(tx, { key: reminded, userId: subscription.userId, happenedAt: null });
  const endsOn = dayWords(end);
  const trial = { days, endsOn, isShort };
  await sendNotice(tx, await begunMail(letter, { terms, nextCharge: nextCharge(end), trial }));
}

/** Each cancellation is one fact: whoever takes it back and cancels again is told again. */
export async function tellCancellation(
  tx: Transaction,
  { subscription, letter }: NoticeFacts,
): Promise<void> {
  const { id, userId, status, canceledAt, cancelAt, currentPeriodEnd } = subscription;
  const on = canceledAt ?? new Date();
  const key = `cancelled:${id}:${Math.floor((canceledAt ?? currentPeriodEnd).getTime() / 1000)}`;
  if (!(await claimNotice(tx, { key, userId, happenedAt: on }))) return;
  const endsOn = dayWords(cancelAt ?? currentPeriodEnd);
  const isTrial = status === "trialing";
  const isOpen = isTrial || status === "active";
  await sendNotice(tx, await cancelledMail(letter, { on: dayWords(on), endsOn, isTrial, isOpen }));
}

export async function tellEnd(tx: Transaction, { subscription, letter }: NoticeFacts): Promise<void> {
  const { id, userId, endedAt } = subscription;
  const on = endedAt ?? new Date();
  if (!(await claimNotice(tx, { key: `ended:${id}`, userId, happenedAt: on }))) return;
  const subscribeLink = new URL(paths.subscribe(), config.origin).href;
  await sendNotice(tx, await endedMail(letter, { on: dayWords(on), subscribeLink }));
}

/** Ended before anything was paid. `isMoneyOnItsWay`: as far as was known before. */
export async function tellUnbegun(
  tx: Transaction,
  { subscription, letter }: NoticeFacts,
  isMoneyOnItsWay: boolean,
): Promise<void> {
  const { id, userId, endedAt, status } = subscription;
  const on = endedAt ?? new Date();
  if (!(await claimNotice(tx, { key: unbegunKey(id), userId, happenedAt: on }))) return;
  const isCancelled = status === "canceled";
  const subscribeLink = new URL(paths.subscribe(), config.origin).href;
  const mail = await unbegunMail(letter, { on: dayWords(on), isCancelled, isMoneyOnItsWay, subscribeLink });
  await sendNotice(tx, mail);
}
