import { type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "#db/client.server.ts";
import type { invoices, subscriptions } from "#db/schema/billing.ts";
import { dayWords } from "./day-words.ts";
import { claimDue, DUE_KINDS, type DueKind } from "./due-notices.server.ts";
import { begunMail, trialEndingMail } from "./letters/beginning-mails.tsx";
import { reminderMail, renewalMail } from "./letters/renewal-mails.tsx";
import { findNoticeFacts, type NoticeFacts } from "./notice-facts.server.ts";
import { ENDED_STATUSES } from "./owner.server.ts";
import { tellCancellation, tellEnd, tellTrial, tellUnbegun } from "./tell-lives.server.ts";
import { tellFailure, tellNewestPayment, tellPayment } from "./tell-payments.server.ts";
import { tellPlanChange } from "./tell-plan.server.ts";
import { claimNotice, sendNotice, sentBackKey } from "./write-notice.server.ts";

type Invoice = typeof invoices.$inferSelect;
type Subscription = typeof subscriptions.$inferSelect;

const AT_ONCE = 100;
const LIVE = ["trialing", "active", "past_due", "unpaid"];

/** Tells of a payment that came or failed; once each, however often it is called. For after every write of an invoice. */
export async function noticeInvoice(tx: Transaction, invoice: Invoice): Promise<void> {
  if (invoice.subscriptionId === null) return;
  const facts = await findNoticeFacts(tx, invoice.subscriptionId);
  // The subscription is still to come, and then asks for its invoices.
  if (facts === null) return;
  if (invoice.status === "paid" && invoice.amountPaid > 0) await tellPayment(tx, facts, invoice);
  const { status, isPaymentPending } = facts.subscription;
  const isFailed = invoice.status === "open" && invoice.attempts > 0 && !isPaymentPending;
  if (isFailed && LIVE.includes(status)) await tellFailure(tx, facts, invoice);
}

/** Tells of a beginning, another price, a cancellation or an end; once each. For after every write of a subscription. */
export async function noticeSubscription(
  tx: Transaction,
  { before, after }: { before: Subscription | null; after: Subscription },
): Promise<void> {
  const facts = await findNoticeFacts(tx, after.id);
  if (facts === null) return;
  if (after.status === "active") await tellNewestPayment(tx, facts);
  const isSentBack = before?.isPaymentPending === true && !after.isPaymentPending && isOverdue(after);
  if (isSentBack) await claimNotice(tx, { key: sentBackKey(after), userId: after.userId, happenedAt: null });
  const isChanged = before !== null && before.priceId !== after.priceId;
  if (isChanged && [...LIVE, "paused"].includes(after.status)) await tellPlanChange(tx, facts, before);
  if (after.cancelAtPeriodEnd && LIVE.includes(after.status)) await tellCancellation(tx, facts);
  else if (after.status === "trialing") await tellTrial(tx, facts);
  const hadBegun = before !== null && [...LIVE, "paused"].includes(before.status);
  if (!ENDED_STATUSES.includes(after.status)) return;
  if (!after.hasBegun) await tellUnbegun(tx, facts, before?.isPaymentPending === true);
  else if (hadBegun) await tellEnd(tx, facts);
}

function isOverdue({ status }: Subscription): boolean {
  return status === "past_due" || status === "unpaid";
}

/** Writes every reminder that is due, by the database's clock or at `now`; once each. Returns how many. */
export async function noticeDue(now?: Date): Promise<number> {
  const at = now === undefined ? sql`now()` : sql`${now.toISOString()}::timestamptz`;
  let count = 0;
  for (const kind of DUE_KINDS) {
    for (let told = AT_ONCE; told === AT_ONCE; count += told) told = await tellDue(kind, at);
  }
  return count;
}

async function tellDue(kind: DueKind, now: SQL): Promise<number> {
  return db.transaction(async (tx) => {
    const ids = await claimDue(tx, kind, now, AT_ONCE);
    for (const id of ids) {
      const facts = await findNoticeFacts(tx, id);
      if (facts !== null) await sendNotice(tx, await dueMail(kind, facts));
    }
    return ids.length;
  });
}

function dueMail(kind: DueKind, { letter, subscription, terms, nextCharge }: NoticeFacts) {
  const { created, currentPeriodEnd, trialEnd } = subscription;
  const trialEndsAt = trialEnd ?? currentPeriodEnd;
  switch (kind) {
    case "begun":
      return begunMail(letter, { terms, nextCharge: nextCharge(currentPeriodEnd), trial: null });
    case "trialEnding":
      return trialEndingMail(letter, {
        endsOn: dayWords(trialEndsAt),
        nextCharge: nextCharge(trialEndsAt),
      });
    case "renewal":
      return renewalMail(letter, {
        renewsOn: dayWords(currentPeriodEnd),
        nextCharge: nextCharge(currentPeriodEnd),
      });
    case "reminder":
      return reminderMail(letter, { begunOn: dayWords(created), nextCharge: nextCharge(currentPeriodEnd) });
  }
}
