import { addInterval } from "../../rules/charge-dates.ts";
import { parseDecimals } from "../../rules/format-money.ts";
import { ourId, type ToldFact } from "../contract/facts.ts";
import type { CheckoutSnapshot } from "../contract/provider.ts";
import type { Order, Told } from "../facts/told-payments.ts";
import type { BtcpayInvoice, BtcpayPayment } from "./invoice-api.server.ts";
import { BTCPAY } from "./settings.ts";

type Page = Pick<BtcpayInvoice, "status" | "additionalStatus">;

interface Seen extends Pick<CheckoutSnapshot, "isPaymentPending" | "partPaid"> {
  /** It can be paid, or is about to be confirmed. */
  isOpen: boolean;
}

/** Also one that was paid when its page had closed: it stays expired, and only its additional status says so. */
export function isPaid({ status, additionalStatus }: Page): boolean {
  return status === "Settled" || (status === "Expired" && additionalStatus === "PaidLate");
}

/** The host says so at BTCPay, for example after a refund. */
export function isTakenBack({ status, additionalStatus }: Page): boolean {
  return status === "Invalid" && additionalStatus === "Marked";
}

/** What the pages of one purchase show while nothing on them counts as paid. */
export function seenOf(pages: BtcpayInvoice[]): Seen {
  const partly = pages.find(({ additionalStatus }) => additionalStatus === "PaidPartial");
  return {
    isOpen: pages.some(({ status }) => status === "New" || status === "Processing"),
    isPaymentPending: pages.some(isUnconfirmed),
    partPaid: partly ? (parseDecimals(partly.paidAmount ?? "", partly.currency) ?? 0) : null,
  };
}

/** Also one whose money was not confirmed within a day: it may still come, and the host can count it at BTCPay then. */
function isUnconfirmed(page: Page): boolean {
  if (page.status === "Processing") return true;
  return page.status === "Invalid" ? !isTakenBack(page) : page.status === "Expired" && isPaid(page);
}

export function saleIdOf({ id }: Pick<BtcpayInvoice, "id">): string {
  return ourId(BTCPAY, `sale:${id}`);
}

export function returnIdOf({ id }: Pick<BtcpayInvoice, "id">): string {
  return ourId(BTCPAY, `returned:${id}`);
}

export function transactionOf({ id }: Pick<BtcpayInvoice, "id">): string {
  return ourId(BTCPAY, id);
}

/** Null while a late payment is not confirmed: BTCPay confirms only those that come in time. */
export function saleOf(
  invoice: BtcpayInvoice,
  { payments, order, now }: { payments: BtcpayPayment[]; order: Order; now: Date },
): Told<"sale"> | null {
  const { currency, paidAmount, additionalStatus } = invoice;
  const amount = parseDecimals(invoice.amount ?? "", currency);
  const isConfirmed = payments.length > 0 && payments.every(({ status }) => status === "Settled");
  if (amount === null || (invoice.status !== "Settled" && !isConfirmed)) return null;
  const paidAt = payments.length === 0 ? null : latest(payments);
  // The host may count a part weeks after it came, or money that BTCPay has not seen.
  const at = additionalStatus === "Marked" || paidAt === null ? now : paidAt;
  const isOtherAmount = additionalStatus === "Marked" || additionalStatus === "PaidOver";
  const paid = (isOtherAmount && parseDecimals(paidAmount ?? "", currency)) || amount;
  const { interval, intervalCount } = order.terms.first;
  const first = { amount, interval, intervalCount };
  return {
    kind: "sale",
    id: saleIdOf(invoice),
    at,
    checkoutId: order.checkoutId,
    subscriptionId: order.customerId,
    transactionId: transactionOf(invoice),
    paid: { amount: paid, currency },
    terms: { currency, first, renewal: null },
    paidUntil: addInterval(at, first),
    method: null,
    ...(paidAt !== null && paidAt > invoice.expirationTime && { isLate: true }),
  };
}

export function returnOf(invoice: BtcpayInvoice, sale: Told<"sale">, now: Date): ToldFact {
  const { subscriptionId, transactionId, paid } = sale;
  const returned = { kind: "returned", subscriptionId, transactionId, amount: paid, how: "void" } as const;
  return { ...returned, id: returnIdOf(invoice), at: now };
}

function latest(payments: BtcpayPayment[]): Date {
  return new Date(Math.max(...payments.map(({ receivedDate }) => receivedDate.getTime())));
}
