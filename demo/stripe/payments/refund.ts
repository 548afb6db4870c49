import type Stripe from "stripe";
import type { Account } from "../state/account.ts";
import { invalid } from "../state/fault.ts";
import { newId } from "../state/ids.ts";

const TO_THE_CARD: Stripe.Refund.DestinationDetails = {
  card: { reference_status: "pending", reference_type: "acquirer_reference_number", type: "refund" },
  type: "card",
};

/** Refunds an amount in the smallest unit; without one, everything that is left. */
export function refundCharge(
  account: Account,
  charge: Stripe.Charge,
  { amount, reason = null, metadata = {} }: RefundOptions = {},
): Stripe.Refund {
  const left = charge.amount_captured - charge.amount_refunded;
  if (charge.status !== "succeeded") throw invalid("This charge did not succeed and cannot be refunded.");
  if (left === 0) {
    throw invalid(`Charge ${charge.id} has already been refunded.`, undefined, "charge_already_refunded");
  }
  const given = amount ?? left;
  if (given > left) {
    throw invalid(`Refund amount (${given}) is greater than unrefunded amount on charge (${left})`, "amount");
  }
  const refund: Stripe.Refund = {
    id: newId("re"),
    object: "refund",
    amount: given,
    balance_transaction: newId("txn"),
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    ...(charge.payment_method_details?.card ? { destination_details: TO_THE_CARD } : {}),
    metadata,
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason,
    receipt_number: null,
    source_transfer_reversal: null,
    status: "succeeded",
    transfer_reversal: null,
  };
  account.state.refunds[refund.id] = refund;
  account.record("refund.created", refund);
  account.change("charge.refunded", charge, () => {
    charge.amount_refunded += given;
    charge.refunded = charge.amount_refunded === charge.amount_captured;
  });
  return refund;
}

interface RefundOptions {
  amount?: number;
  reason?: Stripe.Refund.Reason | null;
  metadata?: Stripe.Metadata;
}
