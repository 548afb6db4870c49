import { sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { type Mail, writeMail } from "#app/domain/mail/outbox.server.ts";
import type { Transaction } from "#db/client.server.ts";
import type { subscriptions } from "#db/schema/billing.ts";

type Subscription = typeof subscriptions.$inferSelect;

/** What happened longer ago is no news: a provider that is read for the first time tells of years. */
const NEWS = sql`interval '3 days'`;

interface Fact {
  /** For example "receipt:in_123". */
  key: string;
  userId: string;
  /** Null when its age does not matter. */
  happenedAt: Date | null;
}

/** Whether nobody has told of this yet, and it is news. From then on somebody has. */
export async function claimNotice(tx: Transaction, { key, userId, happenedAt }: Fact): Promise<boolean> {
  const at = happenedAt === null ? sql`now()` : sql`${happenedAt.toISOString()}::timestamptz`;
  const claimed = await tx.execute(sql`
    INSERT INTO billing_notices (key, user_id)
    SELECT ${key}, ${userId}::uuid WHERE ${at} > now() - ${NEWS}
    ON CONFLICT DO NOTHING RETURNING key`);
  return claimed.length > 0;
}

export async function sendNotice(tx: Transaction, mail: Mail): Promise<void> {
  await enqueue("send-mail", { mailId: await writeMail(mail, tx) }, tx);
}

/** A beginning is told of once, with whatever tells of it first. */
export function claimBeginning(
  tx: Transaction,
  { id, userId }: Subscription,
  happenedAt: Date,
): Promise<boolean> {
  return claimNotice(tx, { key: `begun:${id}`, userId, happenedAt });
}

/** Noted, and told with the invoice that says what is owed: a bank has sent the money of this period back. */
export function sentBackKey({ id, currentPeriodStart }: Subscription): string {
  return `sent-back:${id}:${Math.floor(currentPeriodStart.getTime() / 1000)}`;
}

/** Of a subscription that ended before its first payment. */
export function unbegunKey(subscriptionId: string): string {
  return `unbegun:${subscriptionId}`;
}

export async function isTold(tx: Transaction, key: string): Promise<boolean> {
  const rows = await tx.execute(sql`SELECT 1 FROM billing_notices WHERE key = ${key}`);
  return rows.length > 0;
}
