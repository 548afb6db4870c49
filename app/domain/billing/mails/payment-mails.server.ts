import { and, desc, eq, gt } from "drizzle-orm";
import { addDays } from "#app/dates.ts";
import { BEGUN_STATUSES, ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import type { Transaction } from "#db/client.server.ts";
import { type Invoice, invoices } from "#db/schema/invoices.ts";
import { isPaidTooLate } from "../rules/lapsed-invoice.ts";
import { isLastCharge } from "../rules/last-charge.ts";
import { MAIL_KEYS } from "../rules/mail-keys.ts";
import { WAS_REFUSED } from "../subscriptions/refundable-invoices.server.ts";
import {
  claimBeginning,
  claimMail,
  isMailed,
  mailOnce,
  paidTwiceKey,
  returnedPaymentKey,
  sendMail,
} from "./send-once.server.ts";
import { findMailFacts, type MailFacts } from "./templates/mail-facts.server.ts";
import { paymentFailedMail, receiptMail, refundMail } from "./templates/payment-mails.tsx";

/** Call it after every write of an invoice: each fact is emailed once. */
export async function mailAboutInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  if (invoice.subscriptionId === null) return;
  const facts = await findMailFacts(tx, invoice.subscriptionId);
  // The subscription is not stored yet; once it is, its newest payment is emailed.
  if (facts === null) return;
  if (invoice.status === "paid" && invoice.amountPaid > 0) await mailPayment(tx, facts, invoice);
  const { status, isPaymentPending, isInvoiced } = facts.subscription;
  // The payer of a sent invoice may try until it is due, and access stays until then.
  const isDue = !isInvoiced || status !== "active";
  const isFailed = invoice.status === "open" && invoice.attempts > 0 && !isPaymentPending && isDue;
  const isOwed = BEGUN_STATUSES.includes(status) || isLastCharge(invoice, facts.subscription);
  if (isFailed && isOwed) await mailPaymentFailure(tx, facts, invoice);
}

/** Only of a prepaid period: other providers tell their buyers themselves, and their subscription ends with an email. */
export async function mailAboutRefund(tx: Transaction, invoice: Invoice): Promise<void> {
  const { id, userId, subscriptionId, amountRefunded } = invoice;
  if (subscriptionId === null || amountRefunded === 0 || !(await isMailed(tx, receiptKey(id)))) return;
  const facts = await findMailFacts(tx, subscriptionId);
  if (!facts?.subscription.isPrepaid) return;
  await mailOnce(tx, { key: `refund:${id}:${amountRefunded}`, userId }, () => refundMail(facts, invoice));
}

function receiptKey(invoiceId: string): string {
  return `receipt:${invoiceId}`;
}

async function mailPayment(tx: Transaction, facts: MailFacts, invoice: Invoice): Promise<void> {
  const { subscription } = facts;
  const [known] = await tx
    .select({ wasRefused: WAS_REFUSED })
    .from(invoices)
    .where(eq(invoices.id, invoice.id));
  const wasRefused = known?.wasRefused === true;
  const paidAt = invoice.paidAt ?? invoice.createdAt;
  // However late it is: after an email about the refusal, and for a purchase of this site, of which no event may have come.
  const happenedAt = wasRefused || subscription.isPrepaid ? null : paidAt;
  if (!(await claimMail(tx, { key: receiptKey(invoice.id), userId: invoice.userId, happenedAt }))) return;
  const isFirst = invoice.createdAt < addDays(subscription.created, 1);
  const begunAt = subscription.isPrepaid ? null : isFirst ? paidAt : subscription.created;
  // Where somebody has paid twice, nothing has started with the second payment.
  const isWanted =
    !ENDED_STATUSES.includes(subscription.status) && !(await isMailed(tx, paidTwiceKey(subscription.id)));
  const begins = isWanted && (await claimBeginning(tx, subscription, begunAt));
  const isTooLate = isPaidTooLate(invoice, subscription, wasRefused);
  await sendMail(tx, receiptMail(facts, invoice, { begins, isTooLate }));
}

/** The invoice may have been stored before its subscription. */
export async function mailNewestPayment(tx: Transaction, facts: MailFacts): Promise<void> {
  const { id, userId } = facts.subscription;
  const isTheirs = and(eq(invoices.userId, userId), eq(invoices.subscriptionId, id));
  const [paid] = await tx
    .select()
    .from(invoices)
    .where(and(isTheirs, eq(invoices.status, "paid"), gt(invoices.amountPaid, 0)))
    .orderBy(desc(invoices.createdAt))
    .limit(1);
  if (paid !== undefined) await mailPayment(tx, facts, paid);
}

async function mailPaymentFailure(tx: Transaction, facts: MailFacts, invoice: Invoice): Promise<void> {
  const { id, userId, createdAt } = invoice;
  // A returned bank transfer is days old already.
  const isPaymentReturned = await isMailed(tx, returnedPaymentKey(facts.subscription));
  const fact = { key: `${MAIL_KEYS.failed}${id}`, userId, happenedAt: isPaymentReturned ? null : createdAt };
  await mailOnce(tx, fact, () => paymentFailedMail(facts, invoice));
}
