import type Stripe from "stripe";
import { type SharedControl, sharedControl } from "../../stand-in/control.ts";
import type { Deliveries } from "../../stand-in/deliveries.ts";
import type { Failures } from "../../stand-in/failures.ts";
import { closeDispute, disputeCharge } from "../payments/dispute.ts";
import { refundCharge } from "../payments/refund.ts";
import { type Account, type AfterRetries, type EventType, required } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { idOf } from "../state/ids.ts";
import { advanceTo } from "./clock.ts";
import { completeTransfer } from "./transfers.ts";
import { requireChangeable } from "./update-subscription.ts";

/** Controls for tests and newcomers that Stripe itself does not offer. */
export interface Control extends SharedControl<Stripe.Event> {
  /** Sends an event about an existing object, of a type that the stand-in never causes itself. */
  emit(type: EventType, id: string): void;
  /** The next payments of a subscription fail, regardless of its card. */
  failNextPayment(subscriptionId: string, times?: number): void;
  /** Pauses the collection of payments without an end, as the dashboard does; null ends the pause. */
  pauseCollection(
    subscriptionId: string,
    behavior: Stripe.Subscription.PauseCollection.Behavior | null,
  ): void;
  /** Sets the status of a subscription after its last payment attempt failed. */
  afterRetries(outcome: AfterRetries): void;
  /** From now on a number is the same card for everybody. */
  shareCards(): void;
  /** Disputes a charge by its id, or the last payment of a subscription. */
  dispute(id: string): Stripe.Dispute;
  closeDispute(disputeId: string, outcome: "lost" | "won"): void;
  /** The bank transfer for a subscription arrives or is returned. */
  completeTransfer(subscriptionId: string, outcome: "paid" | "failed"): void;
  /** Refunds a charge, or the last payment of a subscription, in full. */
  refund(id: string): Stripe.Refund;
}

export function makeControl(
  account: Account,
  deliveries: Deliveries<Stripe.Event>,
  failures: Failures,
): Control {
  return {
    ...sharedControl({
      clock: account,
      advanceTo: (at) => advanceTo(account, at),
      deliveries,
      failures,
      findEvent: (id) => required(account.state.events, "event", id),
    }),
    emit: (type, id) => account.record(type, account.find(id) ?? required({}, "object", id)),
    failNextPayment: (subscriptionId, times = 1) => {
      required(account.state.subscriptions, "subscription", subscriptionId);
      account.timersOf(subscriptionId).failingPayments += times;
      account.changed();
    },
    pauseCollection: (subscriptionId, behavior) => {
      const subscription = required(account.state.subscriptions, "subscription", subscriptionId);
      requireChangeable(subscription);
      account.change("customer.subscription.updated", subscription, () => {
        subscription.pause_collection = behavior && { behavior, resumes_at: null };
      });
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
    completeTransfer: (subscriptionId, outcome) => {
      required(account.state.subscriptions, "subscription", subscriptionId);
      completeTransfer(account, subscriptionId, outcome);
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
