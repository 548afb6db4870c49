import { isDeepStrictEqual } from "node:util";
import { addInterval } from "../../rules/charge-dates.ts";
import type { ToldFact } from "../contract/facts.ts";
import type { SubscriptionSnapshot } from "../contract/provider.ts";
import {
  byTime,
  chargeOf,
  type Order,
  ofKind,
  PLAIN,
  type Projection,
  paidInvoice,
  returnsOf,
  type Told,
} from "./told-payments.ts";

interface Period {
  sale: Told<"sale">;
  order: Order;
  begins: Date;
  ends: Date;
}

/**
 * Periods that were paid beforehand are one subscription of their buyer: each begins with its payment, or where the one before
 * it ends, in the order of the payments. One with other terms than its purchase counts for nothing. Decision 220.
 */
export function projectPrepaid(
  provider: string,
  facts: ToldFact[],
  orders: ReadonlyMap<string, Order>,
  now: Date,
): Projection | null {
  const told = facts.toSorted(byTime);
  const returns = returnsOf(told, ofKind(told, "sale"));
  const goneAt = (sale: Told<"sale">) => returns.get(sale.transactionId)?.goneAt ?? null;
  const periods: Period[] = [];
  let paidUntil: Date | null = null;
  for (const one of told) {
    // Ended here, with all that was paid until then.
    if (one.kind === "closed" && paidUntil !== null && one.at < paidUntil) paidUntil = one.at;
    if (one.kind !== "sale") continue;
    const order = orders.get(one.checkoutId ?? "");
    if (order === undefined || !isDeepStrictEqual(one.terms, order.terms)) continue;
    const begins: Date = paidUntil !== null && paidUntil > one.at ? paidUntil : one.at;
    const ends = addInterval(begins, one.terms.first);
    periods.push({ sale: one, order, begins, ends });
    if (goneAt(one) === null) paidUntil = ends;
  }
  const newest = periods.findLast(({ sale }) => goneAt(sale) === null) ?? periods.at(-1);
  const [first] = periods;
  if (first === undefined || newest === undefined) return null;
  const end = paidUntil ?? goneAt(newest.sale) ?? newest.sale.at;
  const subscription = subscriptionOf(provider, { first, newest, end, now });
  return {
    subscription,
    invoices: periods.flatMap(({ sale, ...period }) =>
      paidInvoice(sale, { subscription, period, sale }).map((invoice) => ({
        ...invoice,
        total: sale.terms.first.amount,
      })),
    ),
    charges: periods.flatMap(({ sale }) => chargeOf(sale, subscription, returns)),
  };
}

function subscriptionOf(
  provider: string,
  { first, newest, end, now }: { first: Period; newest: Period; end: Date; now: Date },
): SubscriptionSnapshot {
  const { order, sale } = newest;
  const endedAt = end > now ? null : end;
  return {
    ...PLAIN,
    id: sale.subscriptionId,
    provider,
    customerId: order.customerId,
    status: endedAt ? "canceled" : "active",
    priceId: order.price.id,
    cancelAtPeriodEnd: false,
    created: first.sale.at,
    currentPeriodStart: newest.begins,
    currentPeriodEnd: end,
    trialStart: null,
    trialEnd: null,
    canceledAt: endedAt,
    endedAt,
    nextAmount: 0,
    isPrepaid: true,
    price: order.price,
    product: order.product,
    checkoutId: sale.checkoutId,
    soldTerms: sale.terms,
    fingerprint: null,
  };
}
