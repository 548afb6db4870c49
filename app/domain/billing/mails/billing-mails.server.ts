import { type SQL, sql } from "drizzle-orm";
import { BEGUN_STATUSES, ENDED_STATUSES, OVERDUE_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db, type Transaction } from "#db/client.server.ts";
import type { invoices, subscriptions } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { claimDue, DUE_KINDS, type DueKind } from "./due-mails.server.ts";
import {
  mailCancellation,
  mailEnd,
  mailPlanChange,
  mailTrialBegun,
  mailUnbegun,
} from "./lifecycle-mails.server.ts";
import { findMailFacts, type MailFacts } from "./mail-facts.server.ts";
import { mailNewestPayment, mailPayment, mailPaymentFailure } from "./payment-mails.server.ts";
import { claimMail, sendMail, sentBackKey } from "./send-once.server.ts";
import { begunMail, trialEndingMail } from "./templates/beginning-mails.tsx";
import { reminderMail, renewalMail } from "./templates/renewal-mails.tsx";

type Invoice = typeof invoices.$inferSelect;
type Subscription = typeof subscriptions.$inferSelect;

const AT_ONCE = 100;

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

export async function sendDueMails(now?: Date): Promise<number> {
  const at = now === undefined ? sql`now()` : sql`${now.toISOString()}::timestamptz`;
  let count = 0;
  for (const kind of DUE_KINDS) {
    for (let sent = AT_ONCE; sent === AT_ONCE; count += sent) sent = await sendDue(kind, at);
  }
  return count;
}

async function sendDue(kind: DueKind, now: SQL): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = await claimDue(tx, kind, now, AT_ONCE);
    for (const id of ids) {
      const facts = await findMailFacts(tx, id);
      if (facts !== null) await sendMail(tx, dueMail(kind, facts));
    }
    return ids.length;
  });
}

function dueMail(kind: DueKind, { context, subscription, terms, nextCharge }: MailFacts) {
  const { created, currentPeriodEnd, trialEnd } = subscription;
  const trialEndsAt = trialEnd ?? currentPeriodEnd;
  const renewal = { on: formatDate(currentPeriodEnd), nextCharge: nextCharge(currentPeriodEnd) };
  switch (kind) {
    case "begun":
      return begunMail(context, { terms, nextCharge: renewal.nextCharge, trial: null });
    case "trialEnding":
      return trialEndingMail(context, { on: formatDate(trialEndsAt), nextCharge: nextCharge(trialEndsAt) });
    case "renewal":
      return renewalMail(context, renewal);
    case "reminder":
      return reminderMail(context, { begunOn: formatDate(created), nextCharge: renewal.nextCharge });
  }
}
