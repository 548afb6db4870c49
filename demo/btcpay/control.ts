import { type SharedControl, sharedControl } from "../stand-in/control.ts";
import type { Deliveries } from "../stand-in/deliveries.ts";
import type { Failures } from "../stand-in/failures.ts";
import type { PageRoute } from "../stand-in/page.ts";
import { Problem } from "../stand-in/problem.ts";
import type { BtcpayAccount } from "./account.ts";
import { parseAmount, written } from "./amounts.ts";
import { advanceTo, dueAmount, expire, mark, receive, settle } from "./invoice-life.ts";
import type { Delivery, Invoice } from "./state.ts";

type Action = { title: string; run: (account: BtcpayAccount, invoice: Invoice) => void };

/** What a wallet, the network or the host can do with an invoice. */
export const ACTIONS = {
  pay: { title: "Pay what is due", run: (account, invoice) => paySome(account, invoice, dueAmount(invoice)) },
  half: { title: "Pay a half", run: (account, invoice) => payShare(account, invoice, 0.5) },
  over: { title: "Pay a tenth too much", run: (account, invoice) => payShare(account, invoice, 1.1) },
  confirm: {
    title: "Confirm the payments",
    run: (account, invoice) => {
      for (const payment of invoice.payments)
        if (payment.status === "Processing") settle(account, invoice, payment);
    },
  },
  stall: {
    title: "Never confirm",
    run: (_, invoice) => {
      for (const payment of invoice.payments) payment.settlesAt = null;
    },
  },
  expire: { title: "Expire", run: expire },
  settle: { title: "Mark as settled", run: (account, invoice) => mark(account, invoice, "Settled") },
  invalidate: { title: "Mark as invalid", run: (account, invoice) => mark(account, invoice, "Invalid") },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

export interface BtcpayControl extends SharedControl<Delivery> {
  act(name: ActionName, invoiceId: string): void;
}

export interface Visit {
  account: BtcpayAccount;
  control: BtcpayControl;
  id: string;
  /** The form's fields; empty for GET. */
  form: URLSearchParams;
}

export type BtcpayPageRoute = PageRoute<Visit>;

export function makeControl(
  account: BtcpayAccount,
  deliveries: Deliveries<Delivery>,
  failures: Failures,
): BtcpayControl {
  const findEvent = (id: string) => {
    const found = account.state.deliveries[id];
    if (!found) throw new Problem(404, `There is no delivery ${id}.`);
    return found;
  };
  const shared = sharedControl({
    clock: account,
    advanceTo: (at) => advanceTo(account, at),
    deliveries,
    failures,
    findEvent,
  });
  return {
    ...shared,
    // As at BTCPay, what is sent again is a delivery of its own.
    resend: (id) => account.redeliver(findEvent(id)),
    act: (name, invoiceId) => {
      ACTIONS[name].run(account, account.invoice(invoiceId));
      account.changed();
    },
  };
}

function payShare(account: BtcpayAccount, invoice: Invoice, share: number): void {
  paySome(account, invoice, written((parseAmount(invoice.amount) ?? 0) * share, invoice.amount));
}

function paySome(account: BtcpayAccount, invoice: Invoice, value: string): void {
  if (parseAmount(value) === null) throw new Problem(400, "Nothing is due.");
  receive(account, invoice, { value, method: "BTC-CHAIN" });
}
