import { and, desc, eq, gt } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import type { Transaction } from "#db/client.server.ts";
import { invoices } from "#db/schema/billing.ts";
import { dayWords } from "./day-words.ts";
import { receiptMail } from "./letters/receipt-mail.tsx";
import { cardFailedMail } from "./letters/renewal-mails.tsx";
import { moneyWords } from "./money-words.ts";
import type { NoticeFacts } from "./notice-facts.server.ts";
import {
  claimBeginning,
  claimNotice,
  isTold,
  sendNotice,
  sentBackKey,
  unbegunKey,
} from "./write-notice.server.ts";

type Invoice = typeof invoices.$inferSelect;

const DAY_MS = 24 * 3600 * 1000;
const ENDED = ["canceled", "incomplete_expired"];

export async function tellPayment(tx: Transaction, facts: NoticeFacts, invoice: Invoice): Promise<void> {
  const { subscription, letter, terms, nextCharge } = facts;
  const { userId } = invoice;
  // Whoever was told that it failed is told that it came, however late.
  const wasFailure = await isTold(tx, `failed:${invoice.id}`);
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  const receipt = { key: `receipt:${invoice.id}`, userId, happenedAt: wasFailure ? null : paidAt };
  if (!(await claimNotice(tx, receipt))) return;
  // It began when its first payment came; any later payment says nothing of that.
  const isFirst = invoice.createdAt.getTime() < subscription.created.getTime() + DAY_MS;
  const begunAt = isFirst ? paidAt : subscription.created;
  const begins = !ENDED.includes(subscription.status) && (await claimBeginning(tx, subscription, begunAt));
  const mail = await receiptMail(letter, {
    number: invoice.number,
    sum: moneyWords(invoice.amountPaid, invoice.currency),
    paidOn: dayWords(paidAt),
    periodStart: dayWords(invoice.periodStart),
    periodEnd: dayWords(invoice.periodEnd),
    invoiceLink: invoice.hostedUrl,
    isTooLate: await isTold(tx, unbegunKey(subscription.id)),
    begins: begins
      ? { terms, nextCharge: subscription.cancelAtPeriodEnd ? null : nextCharge(invoice.periodEnd) }
      : null,
  });
  await sendNotice(tx, mail);
}

/** The invoice may have been written before its subscription was known. */
export async function tellNewestPayment(tx: Transaction, facts: NoticeFacts): Promise<void> {
  const { id, userId } = facts.subscription;
  const [paid] = await tx
    .select()
    .from(invoices)
    .where(
      and(
        eq(invoices.userId, userId),
        eq(invoices.subscriptionId, id),
        eq(invoices.status, "paid"),
        gt(invoices.amountPaid, 0),
      ),
    )
    .orderBy(desc(invoices.createdAt))
    .limit(1);
  if (paid !== undefined) await tellPayment(tx, facts, paid);
}

/** Once for each invoice, however often the card is tried. */
export async function tellFailure(
  tx: Transaction,
  { letter, subscription }: NoticeFacts,
  invoice: Invoice,
): Promise<void> {
  const { userId, createdAt, periodStart, nextAttemptAt } = invoice;
  // What a bank has sent back was on its way for days.
  const isSentBack = await isTold(tx, sentBackKey(subscription));
  const happenedAt = isSentBack ? null : createdAt;
  if (!(await claimNotice(tx, { key: `failed:${invoice.id}`, userId, happenedAt }))) return;
  const openUntil = new Date(periodStart.getTime() + config.billing.graceDays * DAY_MS);
  const mail = await cardFailedMail(letter, {
    sum: moneyWords(invoice.amountRemaining, invoice.currency),
    payLink: invoice.hostedUrl,
    openUntil: config.billing.graceDays > 0 && openUntil > new Date() ? dayWords(openUntil) : null,
    nextTryOn: nextAttemptAt === null ? null : dayWords(nextAttemptAt),
  });
  await sendNotice(tx, mail);
}
