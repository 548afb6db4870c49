import { and, desc, eq, gt } from "drizzle-orm";
import { config } from "#app/config.server.ts";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Transaction } from "#db/client.server.ts";
import { invoices } from "#db/schema/billing.ts";
import { addDays } from "../rules/charge-dates.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatMoney } from "../rules/format-money.ts";
import type { MailFacts } from "./mail-facts.server.ts";
import {
  claimBeginning,
  claimMail,
  isMailed,
  mailOnce,
  sendMail,
  sentBackKey,
  unbegunKey,
} from "./send-once.server.ts";
import { cardFailedMail, receiptMail } from "./templates/payment-mails.tsx";

type Invoice = typeof invoices.$inferSelect;

export async function mailPayment(tx: Transaction, facts: MailFacts, invoice: Invoice): Promise<void> {
  const { subscription, context, terms, nextCharge } = facts;
  const { userId } = invoice;
  // After a failure mail the receipt is sent however late it is.
  const wasFailure = await isMailed(tx, `failed:${invoice.id}`);
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  const receipt = { key: `receipt:${invoice.id}`, userId, happenedAt: wasFailure ? null : paidAt };
  if (!(await claimMail(tx, receipt))) return;
  const isFirst = invoice.createdAt < addDays(subscription.created, 1);
  const begunAt = isFirst ? paidAt : subscription.created;
  const begins =
    !ENDED_STATUSES.includes(subscription.status) && (await claimBeginning(tx, subscription, begunAt));
  const mail = receiptMail(context, {
    number: invoice.number,
    sum: formatMoney(invoice.amountPaid, invoice.currency),
    paidOn: formatDate(paidAt),
    period: `${formatDate(invoice.periodStart)} to ${formatDate(invoice.periodEnd)}`,
    invoiceLink: invoice.hostedUrl,
    isTooLate: await isMailed(tx, unbegunKey(subscription.id)),
    begins: begins
      ? { terms, nextCharge: subscription.cancelAtPeriodEnd ? null : nextCharge(invoice.periodEnd) }
      : null,
  });
  await sendMail(tx, mail);
}

/** The invoice may have been stored before its subscription. */
export async function mailNewestPayment(tx: Transaction, facts: MailFacts): Promise<void> {
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
  if (paid !== undefined) await mailPayment(tx, facts, paid);
}

export async function mailPaymentFailure(
  tx: Transaction,
  { context, subscription }: MailFacts,
  invoice: Invoice,
): Promise<void> {
  const { userId, createdAt, periodStart, nextAttemptAt } = invoice;
  // A returned bank transfer is days old already.
  const isSentBack = await isMailed(tx, sentBackKey(subscription));
  const openUntil = addDays(periodStart, config.billing.graceDays);
  const failed = {
    sum: formatMoney(invoice.amountRemaining, invoice.currency),
    payLink: invoice.hostedUrl,
    openUntil: config.billing.graceDays > 0 && openUntil > new Date() ? formatDate(openUntil) : null,
    nextTryOn: nextAttemptAt === null ? null : formatDate(nextAttemptAt),
  };
  const fact = { key: `failed:${invoice.id}`, userId, happenedAt: isSentBack ? null : createdAt };
  await mailOnce(tx, fact, () => cardFailedMail(context, failed));
}
