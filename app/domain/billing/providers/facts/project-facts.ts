import type { Price, Product } from "#db/schema/billing.ts";
import type { Fact, Terms, ToldFact } from "../contract/facts.ts";
import type { ChargeSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from "../contract/provider.ts";

/** The purchase that a sale names, if it is one of ours. */
export interface Order {
  checkoutId: string;
  customerId: string;
  price: Price;
  product: Product;
}

export interface Projection {
  subscription: SubscriptionSnapshot;
  invoices: InvoiceSnapshot[];
  charges: ChargeSnapshot[];
}

type Told<Kind extends Fact["kind"]> = Extract<ToldFact, { kind: Kind }>;
type Payment = Told<"sale"> | Told<"renewal">;

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
      ...payments.flatMap((payment) => paidInvoice(payment, subscription, sale)),
      ...unpaidInvoices(told, subscription, sale.terms),
    ],
    charges: payments.flatMap((payment) => chargeOf(payment, subscription, returns)),
  };
}

function byTime(a: ToldFact, b: ToldFact): number {
  return a.at.getTime() - b.at.getTime() || (a.id < b.id ? -1 : 1);
}

function ofKind<Kind extends Fact["kind"]>(told: ToldFact[], ...kinds: Kind[]): Told<Kind>[] {
  return told.filter((one): one is Told<Kind> => kinds.some((kind) => kind === one.kind));
}

/** One for each transaction: an event and a list may both tell of it. */
function byTransaction<One extends { transactionId: string }>(all: One[]): One[] {
  return all.filter(
    ({ transactionId }, at) => all.findIndex((one) => one.transactionId === transactionId) === at,
  );
}

interface Returned {
  amountRefunded: number;
  isDisputed: boolean;
  /** When nothing was left of the payment; null while a part is. */
  goneAt: Date | null;
}

/** By the transaction of the payment. One that the provider does not name is the newest of the same amount before. */
function returnsOf(told: ToldFact[], payments: Payment[]): Map<string, Returned> {
  const returns = new Map<string, Returned>();
  for (const { transactionId, amount, how, at } of ofKind(told, "returned")) {
    const payment =
      payments.find((one) => one.transactionId === transactionId) ??
      payments.findLast((one) => one.at <= at && one.paid.amount === amount.amount);
    if (payment === undefined) continue;
    const before = returns.get(payment.transactionId);
    const isChargeback = how === "chargeback";
    const refunded = (before?.amountRefunded ?? 0) + (isChargeback ? 0 : amount.amount);
    const isGone = isChargeback || refunded >= payment.paid.amount;
    returns.set(payment.transactionId, {
      amountRefunded: Math.min(refunded, payment.paid.amount),
      isDisputed: isChargeback || before?.isDisputed === true,
      goneAt: before?.goneAt ?? (isGone ? at : null),
    });
  }
  return returns;
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
  // What is still paid when the provider calls it over goes on to its end.
  const expiredAt = overAt && (overAt > paidUntil ? overAt : paidUntil);
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
    id: sale.subscriptionId,
    provider,
    customerId: order?.customerId ?? "",
    status,
    priceId: order?.price.id ?? "",
    quantity: 1,
    cancelAtPeriodEnd: isToEnd,
    created: sale.at,
    // An unpaid period has begun, and its days of grace with it.
    currentPeriodStart: failed ? paidUntil : newest.at,
    currentPeriodEnd: failed?.retryAt && failed.retryAt > paidUntil ? failed.retryAt : paidUntil,
    trialStart: isTrial ? sale.at : null,
    trialEnd: isTrial ? sale.paidUntil : null,
    cancelAt: null,
    canceledAt: canceledAt ?? endedAt,
    endedAt,
    nextAmount: isToEnd || endedAt ? 0 : (terms.renewal?.amount ?? 0),
    isPaymentPending: false,
    hasBegun: true,
    collectionPause: null,
    collectionResumesAt: null,
    trialEndWithoutCard: null,
    isInvoiced: false,
    metadata: {},
    price: order?.price ?? null,
    product: order?.product ?? null,
    checkoutId: sale.checkoutId,
    soldTerms: terms,
    fingerprint: method?.fingerprint ?? null,
    isOtherSite: false,
    hasOtherSitesPrice: false,
  };
}

const UNBILLED = { number: null, hostedUrl: null, pdfUrl: null };

function paidInvoice(
  payment: Payment,
  { id: subscriptionId, customerId }: SubscriptionSnapshot,
  sale: Told<"sale">,
): InvoiceSnapshot[] {
  const { transactionId, at, paid, paidUntil } = payment;
  if (paid.amount === 0) return [];
  const isFirst = transactionId === sale.transactionId;
  return [
    {
      ...UNBILLED,
      id: transactionId,
      customerId,
      subscriptionId,
      status: "paid",
      currency: paid.currency,
      total: paid.amount,
      amountPaid: paid.amount,
      amountRemaining: 0,
      periodStart: at,
      periodEnd: paidUntil,
      createdAt: at,
      paidAt: at,
      attempts: 1,
      nextAttemptAt: null,
      first: isFirst ? { checkoutId: sale.checkoutId, sold: [{ terms: sale.terms }] } : null,
    },
  ];
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
    periodStart: attempt.at,
    periodEnd: currentPeriodEnd > attempt.at ? currentPeriodEnd : attempt.at,
    createdAt: attempt.at,
    paidAt: null,
    attempts: 1,
    nextAttemptAt: attempt === open ? attempt.retryAt : null,
    first: null,
  }));
}

function chargeOf(
  { transactionId, paid }: Payment,
  { id: subscriptionId, customerId }: SubscriptionSnapshot,
  returns: Map<string, Returned>,
): ChargeSnapshot[] {
  const returned = returns.get(transactionId);
  if (returned === undefined) return [];
  const { amountRefunded, isDisputed } = returned;
  const charge = { id: transactionId, customerId, invoiceId: transactionId, subscriptionId };
  return [{ ...charge, amount: paid.amount, amountRefunded, isDisputed }];
}
