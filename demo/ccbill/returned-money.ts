import { Problem } from "../stand-in/problem.ts";
import type { CcbillAccount } from "./account.ts";
import { dateOf } from "./arizona-time.ts";
import { cardFields } from "./cards.ts";
import { accounted, currencyName } from "./money.ts";
import type { Entry, Subscription } from "./state.ts";
import { cancel, emailOf, expire } from "./subscription-life.ts";

export type Return = "Refund" | "Void" | "Chargeback";

const KINDS = { Refund: "REFUND", Void: "VOID", Chargeback: "CHARGEBACK" } as const;

/** Gives money back, which cancels and expires the subscription, even when it is only a part. */
export function giveBack(
  account: CcbillAccount,
  subscription: Subscription,
  { how, payment, amount = payment.amount }: { how: Return; payment: Entry; amount?: string },
): void {
  const { id, order } = subscription;
  const { bin: _, ...card } = cardFields(subscription.last4, emailOf(subscription));
  // Whether a refund names the payment is not documented, so that a site cannot rely on it.
  const transactionId = how === "Refund" ? account.newId() : payment.transactionId;
  account.enter({ kind: KINDS[how], subscriptionId: id, transactionId: payment.transactionId, amount });
  account.record(how, {
    subscriptionId: id,
    transactionId,
    amount,
    currency: currencyName(order.currencyCode),
    currencyCode: order.currencyCode,
    accountingAmount: accounted(amount, order.currencyCode),
    accountingCurrency: "USD",
    accountingCurrencyCode: "840",
    reason: how === "Chargeback" ? `Charged Back on ${dateOf(account.now())}` : "Unsatisfied Customer",
    ...card,
  });
  cancel(account, subscription, { source: "customerSupport", reason: how });
  expire(account, subscription);
}

/** @throws {Problem} when all money was given back */
export function newestPayment(account: CcbillAccount, { id }: Subscription): Entry {
  const found = paymentsOf(account, id).at(-1);
  if (!found) throw new Problem(400, "There is no payment that could be given back.");
  return found;
}

/** The payments of a subscription that were not given back. */
export function paymentsOf(account: CcbillAccount, id: string): Entry[] {
  const entries = account.state.ledger.filter(({ subscriptionId }) => subscriptionId === id);
  const isReturn = ({ kind }: Entry) => Object.values<string>(KINDS).includes(kind);
  const returned = new Set(entries.filter(isReturn).map(({ transactionId }) => transactionId));
  return entries.filter(
    ({ kind, transactionId }) => (kind === "NEW" || kind === "REBILL") && !returned.has(transactionId),
  );
}

export function countReturns(account: CcbillAccount, id: string, how: Return): number {
  return account.state.ledger.filter((entry) => entry.subscriptionId === id && entry.kind === KINDS[how])
    .length;
}
