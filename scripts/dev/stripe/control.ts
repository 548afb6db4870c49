import type Stripe from "stripe";
import { type Account, type AfterRetries, type EventType, required } from "./account.ts";
import { advanceTo } from "./billing/clock.ts";
import { closeDispute, disputeCharge } from "./billing/dispute.ts";
import { refundCharge } from "./billing/refund.ts";
import { settleTransfer } from "./billing/transfers.ts";
import type { Deliveries } from "./deliveries.ts";
import { invalid } from "./fault.ts";
import type { FailureOrder, Failures } from "./http/failures.ts";
import { idOf } from "./ids.ts";
import type { WebhookMode } from "./webhook-mode.ts";

/** What a test or a newcomer may do that Stripe would not offer. */
export interface Control {
  /** Seconds since 1970, by the stand-in's clock. */
  now(): number;
  /** Does all that falls due in these seconds, in its order. */
  advance(seconds: number): Promise<void>;
  /** What is not given goes back to the usual. */
  webhooks(mode: WebhookMode): void;
  webhookMode(): Required<WebhookMode>;
  held(): Stripe.Event[];
  /** Sends what is held; order holds places in held(), and what it leaves out stays held. */
  flush(options?: { order?: number[]; shuffle?: boolean }): void;
  /** Tells the site something about an object that is there: of a kind that nothing here brings about. */
  emit(type: EventType, id: string): void;
  /** Sends an event once more. */
  resend(eventId: string): void;
  /** Resolves when nothing is on its way to the site; what is held does not count. */
  idle(): Promise<void>;
  failNext(order: FailureOrder): void;
  /** The next payments of a subscription fail, whatever its card. */
  failNextPayment(subscriptionId: string, times?: number): void;
  /** What becomes of a subscription whose last payment attempt failed. */
  afterRetries(outcome: AfterRetries): void;
  /** From now on a number is one card, whoever uses it. */
  shareCards(): void;
  /** Disputes a charge, or the last payment of a subscription. */
  dispute(id: string): Stripe.Dispute;
  closeDispute(disputeId: string, outcome: "lost" | "won"): void;
  /** The bank's money for a subscription arrives, or is sent back. */
  settleTransfer(subscriptionId: string, outcome: "paid" | "failed"): void;
  /** Refunds a charge, or the last payment of a subscription, whole. */
  refund(id: string): Stripe.Refund;
}

export function makeControl(account: Account, deliveries: Deliveries, failures: Failures): Control {
  return {
    now: () => account.now(),
    advance: async (seconds) => advanceTo(account, account.now() + seconds),
    webhooks: (mode) => deliveries.set(mode),
    webhookMode: () => deliveries.mode,
    held: () => deliveries.held,
    flush: (options) => deliveries.flush(options),
    emit: (type, id) => account.record(type, account.find(id) ?? required({}, "object", id)),
    resend: (eventId) => deliveries.resend(required(account.state.events, "event", eventId)),
    idle: () => deliveries.idle(),
    failNext: (order) => failures.add(order),
    failNextPayment: (subscriptionId, times = 1) => {
      required(account.state.subscriptions, "subscription", subscriptionId);
      account.timersOf(subscriptionId).failingPayments += times;
      account.changed();
    },
    afterRetries: (outcome) => {
      account.afterRetries = outcome;
    },
    shareCards: () => {
      account.hasSharedCards = true;
    },
    dispute: (id) => disputeCharge(account, chargeOf(account, id)),
    closeDispute: (disputeId, outcome) => {
      closeDispute(account, required(account.state.disputes, "dispute", disputeId), outcome);
    },
    settleTransfer: (subscriptionId, outcome) => {
      required(account.state.subscriptions, "subscription", subscriptionId);
      settleTransfer(account, subscriptionId, outcome);
    },
    refund: (id) => refundCharge(account, chargeOf(account, id)),
  };
}

function chargeOf(account: Account, id: string): Stripe.Charge {
  if (id.startsWith("ch_")) return required(account.state.charges, "charge", id);
  const subscription = required(account.state.subscriptions, "subscription", id);
  const invoices = new Set(
    Object.values(account.state.invoices)
      .filter((invoice) => idOf(invoice.parent?.subscription_details?.subscription) === subscription.id)
      .map((invoice) => invoice.id),
  );
  const intents = Object.values(account.state.invoicePayments)
    .filter(({ invoice }) => invoices.has(idOf(invoice) ?? ""))
    .map(({ payment }) => idOf(payment.payment_intent));
  const last = Object.values(account.state.charges).findLast(
    (charge) => charge.status === "succeeded" && intents.includes(idOf(charge.payment_intent)),
  );
  if (!last) throw invalid("Nothing was paid for this subscription yet.");
  return last;
}
