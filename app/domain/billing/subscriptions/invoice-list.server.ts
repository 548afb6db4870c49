import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import type { invoices, subscriptions } from "#db/schema/billing.ts";
import { formatDate } from "../rules/format-date.ts";
import { formatMoney } from "../rules/format-money.ts";

const NOT_TO_BE_PAID: State[] = ["onItsWay", "lapsed", "uncollectible"];

export type InvoiceView = ReturnType<typeof viewInvoice>;
/** "onItsWay": a bank transfer is pending. "lapsed": unpaid and its subscription over, so paying buys nothing. */
type State =
  | "paid"
  | "partlyRefunded"
  | "refunded"
  | "open"
  | "onItsWay"
  | "lapsed"
  | "uncollectible"
  | "void";
type Invoice = typeof invoices.$inferSelect;
type Subscription = typeof subscriptions.$inferSelect | null;

export function viewInvoice(invoice: Invoice, subscription: Subscription) {
  const { id, number, currency, total, amountRemaining, amountRefunded, pdfUrl } = invoice;
  const state = stateOf(invoice, subscription);
  const isPartlyPaid = state === "open" && amountRemaining !== total;
  return {
    id,
    number,
    date: formatDate(invoice.createdAt),
    sum: formatMoney(total, currency),
    state,
    /** "$5.00", the rest of a partly paid sum; null otherwise. */
    remaining: isPartlyPaid ? formatMoney(amountRemaining, currency) : null,
    refunded: amountRefunded > 0 ? formatMoney(amountRefunded, currency) : null,
    /** The provider's page to see or pay it; null when it should not be paid. */
    pageUrl: NOT_TO_BE_PAID.includes(state) ? null : invoice.hostedUrl,
    pdfUrl,
  };
}

function stateOf(invoice: Invoice, subscription: Subscription): State {
  const { status, subscriptionId, amountPaid, amountRefunded } = invoice;
  if (status === "open" || status === "draft") {
    const isOver = subscription === null || ENDED_STATUSES.includes(subscription.status);
    if (subscriptionId !== null && isOver) return "lapsed";
    return subscription?.isPaymentPending ? "onItsWay" : "open";
  }
  if (status !== "paid") return status;
  if (amountRefunded === 0) return "paid";
  return amountRefunded >= amountPaid ? "refunded" : "partlyRefunded";
}
