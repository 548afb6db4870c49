import { config } from "#app/config.server.ts";
import { PAID_STATUSES } from "#app/domain/access/subscription-status.ts";
import { paths } from "#app/paths.ts";
import type { Transaction } from "#db/client.server.ts";
import { formatDate } from "../rules/format-date.ts";
import type { MailFacts } from "./mail-facts.server.ts";
import { claimBeginning, claimMail, sendMail, unbegunKey } from "./send-once.server.ts";
import { begunMail } from "./templates/beginning-mails.tsx";
import { cancelledMail, endedMail, unbegunMail } from "./templates/end-mails.tsx";

const DAY_MS = 24 * 3600 * 1000;
/** A trial of at most this length is reminded of its end in the confirmation. */
const SHORT_TRIAL_DAYS = 7;

export async function mailTrialBegun(
  tx: Transaction,
  { subscription, context, terms, nextCharge }: MailFacts,
): Promise<void> {
  if (!(await claimBeginning(tx, subscription, subscription.created))) return;
  const end = subscription.trialEnd ?? subscription.currentPeriodEnd;
  const start = subscription.trialStart ?? subscription.created;
  const days = Math.round((end.getTime() - start.getTime()) / DAY_MS);
  const isShort = days <= SHORT_TRIAL_DAYS;
  const reminded = `trial-ending:${subscription.id}:${Math.floor(end.getTime() / 1000)}`;
  if (isShort) await claimMail(tx, { key: reminded, userId: subscription.userId, happenedAt: null });
  const endsOn = formatDate(end);
  const trial = { days, endsOn, isShort };
  await sendMail(tx, await begunMail(context, { terms, nextCharge: nextCharge(end), trial }));
}

/** Each cancellation is mailed, also after one was taken back. */
export async function mailCancellation(tx: Transaction, { subscription, context }: MailFacts): Promise<void> {
  const { id, userId, status, canceledAt, cancelAt, currentPeriodEnd } = subscription;
  const on = canceledAt ?? new Date();
  const key = `cancelled:${id}:${Math.floor((canceledAt ?? currentPeriodEnd).getTime() / 1000)}`;
  if (!(await claimMail(tx, { key, userId, happenedAt: on }))) return;
  const endsOn = formatDate(cancelAt ?? currentPeriodEnd);
  const isTrial = status === "trialing";
  const isOpen = PAID_STATUSES.includes(status);
  await sendMail(tx, await cancelledMail(context, { on: formatDate(on), endsOn, isTrial, isOpen }));
}

export async function mailEnd(tx: Transaction, facts: MailFacts): Promise<void> {
  const { subscription, context, isClosing } = facts;
  const { id, userId, endedAt } = subscription;
  const on = endedAt ?? new Date();
  if (!(await claimMail(tx, { key: `ended:${id}`, userId, happenedAt: on })) || isClosing) return;
  const subscribeLink = new URL(paths.subscribe(), config.origin).href;
  await sendMail(tx, await endedMail(context, { on: formatDate(on), subscribeLink }));
}

/** For one that ended before any payment. `isMoneyOnItsWay`: whether a bank transfer was pending before the end. */
export async function mailUnbegun(
  tx: Transaction,
  { subscription, context }: MailFacts,
  isMoneyOnItsWay: boolean,
): Promise<void> {
  const { id, userId, endedAt, status } = subscription;
  const on = endedAt ?? new Date();
  if (!(await claimMail(tx, { key: unbegunKey(id), userId, happenedAt: on }))) return;
  const isCancelled = status === "canceled";
  const subscribeLink = new URL(paths.subscribe(), config.origin).href;
  const mail = await unbegunMail(context, {
    on: formatDate(on),
    isCancelled,
    isMoneyOnItsWay,
    subscribeLink,
  });
  await sendMail(tx, mail);
}
