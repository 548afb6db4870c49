import { BEGUN_STATUSES, ENDED_STATUSES, OVERDUE_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { Transaction } from "#db/client.server.ts";
import type { Invoice, Subscription } from "#db/schema/billing.ts";
import {
  mailCancellation,
  mailEnd,
  mailPlanChange,
  mailTrialBegun,
  mailUnbegun,
} from "./lifecycle-mails.server.ts";
import { findMailFacts } from "./mail-facts.server.ts";
import { mailNewestPayment, mailPayment, mailPaymentFailure } from "./payment-mails.server.ts";
import { claimMail, sentBackKey } from "./send-once.server.ts";

/** Mails about a payment or its failure, once each. Call it after every write of an invoice. */
export async function mailAboutInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  if (invoice.subscriptionId === null) return;
  const facts = await findMailFacts(tx, invoice.subscriptionId);
  // The subscription is not stored yet; storing it mails about its invoices.
  if (facts === null) return;
  if (invoice.status === "paid" && invoice.amountPaid > 0) await mailPayment(tx, facts, invoice);
  const { status, isPaymentPending } = facts.subscription;
  const isFailed = invoice.status === "open" && invoice.attempts > 0 && !isPaymentPending;
  if (isFailed && BEGUN_STATUSES.includes(status)) await mailPaymentFailure(tx, facts, invoice);
}

/** Mails about a start, new price, cancellation or end, once each. Call it after every write of a subscription. */
export async function mailAboutSubscription(
  tx: Transaction,
  { before, after }: { before: Subscription | null; after: Subscription },
): Promise<void> {
  const facts = await findMailFacts(tx, after.id);
  if (facts === null) return;
  if (after.status === "active") await mailNewestPayment(tx, facts);
  const isOverdue = OVERDUE_STATUSES.includes(after.status);
  const isSentBack = before?.isPaymentPending === true && !after.isPaymentPending && isOverdue;
  if (isSentBack) await claimMail(tx, { key: sentBackKey(after), userId: after.userId });
  const isChanged = before !== null && before.priceId !== after.priceId;
  if (isChanged && [...BEGUN_STATUSES, "paused"].includes(after.status))
    await mailPlanChange(tx, facts, before);
  if (after.cancelAtPeriodEnd && BEGUN_STATUSES.includes(after.status)) await mailCancellation(tx, facts);
  else if (after.status === "trialing") await mailTrialBegun(tx, facts);
  const hadBegun = before !== null && [...BEGUN_STATUSES, "paused"].includes(before.status);
  if (!ENDED_STATUSES.includes(after.status)) return;
  if (!after.hasBegun) await mailUnbegun(tx, facts, before?.isPaymentPending === true);
  else if (hadBegun) await mailEnd(tx, facts);
}
