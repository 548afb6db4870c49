import { type Due, runDue } from "../stand-in/clock.ts";
import { Problem } from "../stand-in/problem.ts";
import type { BtcpayAccount } from "./account.ts";
import { parseAmount, sumOf, written } from "./amounts.ts";
import { paymentView } from "./invoice-view.ts";
import type { Invoice, Payment } from "./state.ts";

const CONFIRMATIONS = { HighSpeed: 0, MediumSpeed: 1, LowMediumSpeed: 2, LowSpeed: 6 };
const BLOCK_SECONDS = 600;

export function advanceTo(account: BtcpayAccount, until: number): void {
  runDue(account, until, () => [
    ...account.listRedeliveries(),
    ...Object.values(account.state.invoices).flatMap((invoice) => dueOf(account, invoice)),
  ]);
}

function dueOf(account: BtcpayAccount, invoice: Invoice): Due[] {
  const settling = invoice.payments.flatMap((payment) =>
    payment.settlesAt === null
      ? []
      : [{ at: payment.settlesAt, run: () => settle(account, invoice, payment) }],
  );
  const { status, expirationTime, monitoringExpiration } = invoice;
  if (status === "New") return [...settling, { at: expirationTime, run: () => expire(account, invoice) }];
  if (status !== "Processing") return settling;
  return [...settling, { at: monitoringExpiration, run: () => giveUp(account, invoice) }];
}

/** Money that arrives after the invoice is closed is reported and changes nothing else. */
export function receive(
  account: BtcpayAccount,
  invoice: Invoice,
  { value, method }: Pick<Payment, "value" | "method">,
): void {
  const now = account.now();
  if (now > invoice.monitoringExpiration) throw new Problem(400, "BTCPay no longer watches this invoice.");
  const confirmations = method === "BTC-LN" ? 0 : CONFIRMATIONS[invoice.checkout.speedPolicy];
  const payment: Payment = {
    id: account.newId(),
    receivedDate: now,
    value,
    status: "Processing",
    method,
    settlesAt: now + confirmations * BLOCK_SECONDS,
    afterExpiration: invoice.status === "Expired",
  };
  invoice.payments.push(payment);
  report(account, "InvoiceReceivedPayment", invoice, payment);
  count(account, invoice);
  if (confirmations === 0) settle(account, invoice, payment);
}

function count(account: BtcpayAccount, invoice: Invoice): void {
  const overPaid = paidUnits(invoice) > amountOf(invoice);
  if (!isCovered(invoice, paidUnits(invoice))) {
    if (["New", "Expired"].includes(invoice.status)) invoice.additionalStatus = "PaidPartial";
  } else if (invoice.status === "New") {
    invoice.status = "Processing";
    invoice.additionalStatus = overPaid ? "PaidOver" : "None";
    account.record("InvoiceProcessing", invoice.id, { overPaid });
  } else if (invoice.status === "Processing" && overPaid) {
    invoice.additionalStatus = "PaidOver";
  } else if (invoice.status === "Expired" && invoice.additionalStatus !== "PaidLate") {
    // It stays expired: only its additional status says that the money has come.
    invoice.additionalStatus = "PaidLate";
    account.record("InvoicePaidAfterExpiration", invoice.id);
  }
}

export function settle(account: BtcpayAccount, invoice: Invoice, payment: Payment): void {
  payment.settlesAt = null;
  payment.status = "Settled";
  report(account, "InvoicePaymentSettled", invoice, payment);
  const settled = invoice.payments.filter(({ status }) => status === "Settled");
  if (invoice.status !== "Processing" || !isCovered(invoice, sumOf(settled.map(({ value }) => value))))
    return;
  invoice.status = "Settled";
  const overPaid = invoice.additionalStatus === "PaidOver";
  account.record("InvoiceSettled", invoice.id, { manuallyMarked: false, overPaid });
}

export function expire(account: BtcpayAccount, invoice: Invoice): void {
  if (invoice.status !== "New") return;
  const partiallyPaid = invoice.additionalStatus === "PaidPartial";
  invoice.status = "Expired";
  invoice.expirationTime = Math.min(invoice.expirationTime, account.now());
  account.record("InvoiceExpired", invoice.id, { partiallyPaid });
  if (partiallyPaid) account.record("InvoiceExpiredPaidPartial", invoice.id);
}

/** @throws {Problem} when it has that status */
export function mark(account: BtcpayAccount, invoice: Invoice, status: "Settled" | "Invalid"): void {
  if (invoice.status === status) throw new Problem(400, `The invoice is ${status} already.`);
  invoice.status = status;
  invoice.additionalStatus = "Marked";
  const own = { manuallyMarked: true, ...(status === "Settled" && { overPaid: false }) };
  account.record(`Invoice${status}`, invoice.id, own);
}

/** The money was never confirmed. */
function giveUp(account: BtcpayAccount, invoice: Invoice): void {
  invoice.status = "Invalid";
  account.record("InvoiceInvalid", invoice.id, { manuallyMarked: false });
}

function report(account: BtcpayAccount, type: string, invoice: Invoice, payment: Payment): void {
  const { afterExpiration, method: paymentMethodId } = payment;
  account.record(type, invoice.id, { afterExpiration, paymentMethodId, payment: paymentView(payment) });
}

function paidUnits({ payments }: Invoice): number {
  return sumOf(payments.map(({ value }) => value));
}

/** What is still to be paid; at least nothing. */
export function dueAmount(invoice: Invoice): string {
  return written(Math.max(0, amountOf(invoice) - paidUnits(invoice)), invoice.amount);
}

function isCovered(invoice: Invoice, units: number): boolean {
  return units >= amountOf(invoice) * (1 - invoice.checkout.paymentTolerance / 100);
}

function amountOf({ amount }: Invoice): number {
  return parseAmount(amount) ?? 0;
}
