import { sql } from "drizzle-orm";
import { addDays } from "#app/dates.ts";
import { endOf } from "#app/domain/access/subscription-state.ts";
import type { Mail } from "#app/domain/mail/mail-layout.tsx";
import { enqueueMail } from "#app/domain/mail/outbox.server.ts";
import type { Transaction } from "#db/client.server.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import { MAIL_KEYS } from "../rules/mail-keys.ts";

/** Older facts are not emailed: the first sync with a provider reads years of them. */
export const MAX_FACT_AGE = sql`interval '3 days'`;

interface Fact {
  key: string;
  userId: string;
  happenedAt?: Date | null;
}

export async function claimMail(tx: Transaction, { key, userId, happenedAt = null }: Fact): Promise<boolean> {
  const at = happenedAt === null ? sql`now()` : sql`${happenedAt.toISOString()}::timestamptz`;
  const claimed = await tx.execute(sql`
    INSERT INTO billing_mails (key, user_id)
    SELECT ${key}, ${userId}::uuid WHERE ${at} > now() - ${MAX_FACT_AGE}
    ON CONFLICT DO NOTHING`);
  return claimed.count > 0;
}

export async function mailOnce(tx: Transaction, fact: Fact, mail: () => Promise<Mail>): Promise<void> {
  if (await claimMail(tx, fact)) await sendMail(tx, mail());
}

export async function sendMail(tx: Transaction, mail: Promise<Mail>): Promise<void> {
  await enqueueMail(await mail, tx);
}

/** A start is emailed once, in whichever email comes first. */
export function claimBeginning(tx: Transaction, { id, userId }: Subscription, happenedAt: Date | null) {
  return claimMail(tx, { key: `${MAIL_KEYS.begun}${id}`, userId, happenedAt });
}

/** For an email that says when the subscription ends: a reminder would follow it within hours. */
export async function claimEndings(tx: Transaction, subscription: Subscription, now: Date): Promise<void> {
  const { id, userId } = subscription;
  const end = endOf(subscription);
  const claim = (prefix: string) => claimMail(tx, { key: `${prefix}${id}:${secondsOf(end)}`, userId });
  if (end <= addDays(now, 8)) await claim(MAIL_KEYS.endingSoon);
  if (end <= addDays(now, 1.5)) await claim(MAIL_KEYS.endingNext);
}

/** Its claim records that a bank returned this period's payment. The email follows with the unpaid invoice. */
export function returnedPaymentKey({ id, currentPeriodStart }: Subscription): string {
  return `sent-back:${id}:${secondsOf(currentPeriodStart)}`;
}

/** Its claim records that somebody with a subscription has bought this one, too. */
export function paidTwiceKey(subscriptionId: string): string {
  return `paid-twice:${subscriptionId}`;
}

export function secondsOf(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

export async function isMailed(tx: Transaction, key: string): Promise<boolean> {
  const rows = await tx.execute(sql`SELECT 1 FROM billing_mails WHERE key = ${key}`);
  return rows.length > 0;
}
