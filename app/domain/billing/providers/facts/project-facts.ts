import type { Terms, ToldFact } from "../contract/facts.ts";
import type { InvoiceSnapshot, SubscriptionSnapshot } from "../contract/provider.ts";
import {
  byTime,
  byTransaction,
  chargeOf,
  type Order,
  ofKind,
  type Payment,
  PLAIN,
  type Projection,
  paidInvoice,
  type Returned,
  returnsOf,
  type Told,
  UNBILLED,
} from "./told-payments.ts";

/**
 * What the facts about one subscription say, in whatever order they have arrived: they are read in the order in which
 * they happened. Null before its sale is known, because nobody can tell whose it is.
 */
export function projectFacts(
  provider: string,
  facts: ToldFact[],
  order: Order | null,
  now: Date,
): Projection | null {
  const told = facts.toSorted(byTime);
  const payments = byTransaction(ofKind(told, "sale", "renewal"));
  const sale = payments.find((one) => one.kind === "sale");
  const newest = payments.toSorted((a, b) => a.paidUntil.getTime() - b.paidUntil.getTime()).at(-1);
  if (sale === undefined || newest === undefined) return null;
  const returns = returnsOf(told, payments);
  const life = lifeOf(told, { newest, returned: returns.get(newest.transactionId), now });
  const subscription = subscriptionOf({ provider, told, order, sale, newest, ...life });
  return {
    subscription,
    invoices: [
      ...payments.flatMap((payment) => {
        const isFirst = payment.transactionId === sale.transactionId;
        const period = { begins: payment.at, ends: payment.paidUntil };
        return paidInvoice(payment, { subscription, period, sale: isFirst ? sale : null });
      }),
      ...unpaidInvoices(told, subscription, sale.terms),
    ],
    charges: payments.flatMap((payment) => chargeOf(payment, subscription, returns)),
  };
}

interface Life {
  paidUntil: Date;
  canceledAt: Date | null;
  endedAt: Date | null;
  /** The last attempt of a renewal that is not paid. */
  failed: Told<"renewalFailed"> | null;
}

function lifeOf(
  told: ToldFact[],
  { newest, returned, now }: { newest: Payment; returned: Returned | undefined; now: Date },
): Life {
  const days = [newest, ...ofKind(told, "moved"), ...ofKind(told, "probed")].map((one) => one.paidUntil);
  const paidUntil = new Date(Math.max(...days.map((day) => day?.getTime() ?? 0)));
  const lastPaidAt = new Date(Math.max(...ofKind(told, "sale", "renewal").map(({ at }) => at.getTime())));
  let canceledAt: Date | null = null;
  let stoppedAt: Date | null = null;
  let overAt: Date | null = null;
  for (const one of told) {
    const isUnpaidSince = one.at >= lastPaidAt;
    if (one.kind === "canceled" || (one.kind === "probed" && one.state === "ending")) canceledAt ??= one.at;
    if (one.kind === "kept" || (one.kind === "probed" && one.state === "renewing"))
      canceledAt = stoppedAt = overAt = null;
    // A later payment outweighs both: its money was taken for a period of its own.
    if (one.kind === "canceled" && one.ends === "now" && isUnpaidSince) stoppedAt ??= one.at;
    const isOver = one.kind === "expired" || (one.kind === "probed" && one.state === "over");
    if (isOver && isUnpaidSince) overAt ??= one.at;
  }
  const [closed] = ofKind(told, "closed");
  // What is still paid when the provider calls it over goes on to its end. One that was canceled before ends on its day,
  // however late the provider says so.
  const isOnItsDay = canceledAt !== null && canceledAt <= paidUntil;
  const expiredAt = overAt && (overAt > paidUntil && !isOnItsDay ? overAt : paidUntil);
  const ends = [closed?.at, returned?.goneAt, stoppedAt, expiredAt].filter((end) => end && end <= now);
  const endedAt = ends.length === 0 ? null : new Date(Math.min(...ends.map((end) => end?.getTime() ?? 0)));
  const isFinal = canceledAt !== null || overAt !== null || endedAt !== null;
  const failed = isFinal ? undefined : ofKind(told, "renewalFailed").findLast(({ at }) => at > lastPaidAt);
  return { paidUntil, canceledAt: canceledAt ?? overAt, endedAt, failed: failed ?? null };
}

interface Sold extends Life {
  provider: string;
  told: ToldFact[];
  order: Order | null;
  sale: Told<"sale">;
  newest: Payment;
}

function subscriptionOf(given: Sold): SubscriptionSnapshot {
  const { provider, told, order, sale, newest, paidUntil, canceledAt, endedAt, failed } = given;
  const { terms } = sale;
  // A paid first period is a period like any other: only free days are called a trial.
  const isTrial = terms.renewal !== null && terms.first.amount === 0;
  const isInTrial = isTrial && newest.kind === "sale";
  const status = endedAt ? "canceled" : failed ? "past_due" : isInTrial ? "trialing" : "active";
  const isToEnd = canceledAt !== null;
  const [method] = ofKind(told, "sale", "renewal", "method")
    .flatMap((one) => one.method ?? [])
    .slice(-1);
  return {
    ...PLAIN,
    id: sale.subscriptionId,
    provider,
    customerId: order?.customerId ?? "",
    status,
    priceId: order?.price.id ?? "",
    cancelAtPeriodEnd: isToEnd,
    created: sale.at,
    // An unpaid period has begun, and its days of grace with it.
    currentPeriodStart: failed ? paidUntil : newest.at,
    currentPeriodEnd: failed?.retryAt && failed.retryAt > paidUntil ? failed.retryAt : paidUntil,
    trialStart: isTrial ? sale.at : null,
    trialEnd: isTrial ? sale.paidUntil : null,
    canceledAt: canceledAt ?? endedAt,
    endedAt,
    nextAmount: isToEnd || endedAt ? 0 : (terms.renewal?.amount ?? 0),
    isPrepaid: false,
    price: order?.price ?? null,
    product: order?.product ?? null,
    checkoutId: sale.checkoutId,
    soldTerms: terms,
    fingerprint: method?.fingerprint ?? null,
  };
}

/** Each failed attempt has one; the last is open until it is paid or the subscription ends. */
function unpaidInvoices(
  told: ToldFact[],
  { id: subscriptionId, customerId, status, currentPeriodEnd }: SubscriptionSnapshot,
  { renewal, currency }: Terms,
): InvoiceSnapshot[] {
  const attempts = byTransaction(ofKind(told, "renewalFailed"));
  const open = status === "past_due" ? attempts.at(-1) : undefined;
  const amount = renewal?.amount ?? 0;
  return attempts.map((attempt) => ({
    ...UNBILLED,
    id: attempt.transactionId,
    customerId,
    subscriptionId,
    status: attempt === open ? "open" : "void",
    currency,
    total: amount,
    amountPaid: 0,
    amountRemaining: amount,
    isLate: false,
    periodStart: attempt.at,
    periodEnd: currentPeriodEnd > attempt.at ? currentPeriodEnd : attempt.at,
    createdAt: attempt.at,
    paidAt: null,
    attempts: 1,
    nextAttemptAt: attempt === open ? attempt.retryAt : null,
    first: null,
  }));
}
