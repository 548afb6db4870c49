// Needed because facts are projected in two ways, for subscriptions that renew and for periods that are paid beforehand.
import type { Price, Product } from "#db/schema/prices.ts";
import type { Fact, Terms, ToldFact } from "../contract/facts.ts";
import type { ChargeSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from "../contract/provider.ts";

/** The purchase that a sale names, if it is one of ours. */
export interface Order {
  checkoutId: string;
  customerId: string;
  /** What was accepted. */
  terms: Terms;
  price: Price;
  product: Product;
}

export interface Projection {
  subscription: SubscriptionSnapshot;
  invoices: InvoiceSnapshot[];
  charges: ChargeSnapshot[];
}

export type Told<Kind extends Fact["kind"]> = Extract<ToldFact, { kind: Kind }>;
export type Payment = Told<"sale"> | Told<"renewal">;

/** What no fact tells of a subscription. */
export const PLAIN = {
  quantity: 1,
  cancelAt: null,
  isPaymentPending: false,
  hasBegun: true,
  collectionPause: null,
  collectionResumesAt: null,
  trialEndWithoutCard: null,
  isInvoiced: false,
  metadata: {},
  isOtherSite: false,
  hasOtherSitesPrice: false,
};

export const UNBILLED = { number: null, hostedUrl: null, pdfUrl: null };

/** Of one second, the sale and what the provider says of it come first. */
export function byTime(a: ToldFact, b: ToldFact): number {
  return a.at.getTime() - b.at.getTime() || rankOf(a) - rankOf(b) || (a.id < b.id ? -1 : 1);
}

function rankOf({ kind }: ToldFact): number {
  return kind === "sale" || kind === "probed" ? 0 : 1;
}

export function ofKind<Kind extends Fact["kind"]>(told: ToldFact[], ...kinds: Kind[]): Told<Kind>[] {
  return told.filter((one): one is Told<Kind> => kinds.some((kind) => kind === one.kind));
}

/** One for each transaction: an event and a list may both tell of it. */
export function byTransaction<One extends { transactionId: string }>(all: One[]): One[] {
  return all.filter(
    ({ transactionId }, at) => all.findIndex((one) => one.transactionId === transactionId) === at,
  );
}

export interface Returned {
  amountRefunded: number;
  isDisputed: boolean;
  /** When nothing was left of the payment; null while a part is. */
  goneAt: Date | null;
}

/** By the transaction of the payment. One that the provider does not name is the newest of the same amount before. */
export function returnsOf(told: ToldFact[], payments: Payment[]): Map<string, Returned> {
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

/** `sale`: the payment is that of a purchase. */
export function paidInvoice(
  { transactionId, at, paid }: Payment,
  {
    subscription,
    period,
    sale,
  }: {
    subscription: SubscriptionSnapshot;
    period: { begins: Date; ends: Date };
    sale: Told<"sale"> | null;
  },
): InvoiceSnapshot[] {
  if (paid.amount === 0) return [];
  return [
    {
      ...UNBILLED,
      id: transactionId,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
      status: "paid",
      currency: paid.currency,
      total: paid.amount,
      amountPaid: paid.amount,
      amountRemaining: 0,
      periodStart: period.begins,
      periodEnd: period.ends,
      createdAt: at,
      paidAt: at,
      isLate: sale?.isLate === true,
      attempts: 1,
      nextAttemptAt: null,
      first: sale && { checkoutId: sale.checkoutId, sold: [{ terms: sale.terms }] },
    },
  ];
}

export function chargeOf(
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
