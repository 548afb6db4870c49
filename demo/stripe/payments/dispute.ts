import type Stripe from "stripe";
import { DAY_SECONDS } from "../../stand-in/clock.ts";
import type { Account } from "../state/account.ts";
import { newId } from "../state/ids.ts";

const EVIDENCE_DAYS = 7;

/** The customer's bank withholds a payment until the dispute is decided. */
export function disputeCharge(account: Account, charge: Stripe.Charge): Stripe.Dispute {
  const dispute: Stripe.Dispute = {
    id: newId("dp"),
    object: "dispute",
    amount: charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: account.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: noEvidence(),
    evidence_details: {
      due_by: account.now() + EVIDENCE_DAYS * DAY_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: "manual",
    },
    intended_submission_method: null,
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    ...detailsOf(charge),
    reason: "fraudulent",
    status: "needs_response",
  };
  charge.disputed = true;
  account.state.disputes[dispute.id] = dispute;
  account.record("charge.dispute.created", dispute);
  return dispute;
}

export function closeDispute(account: Account, dispute: Stripe.Dispute, outcome: "lost" | "won"): void {
  account.change("charge.dispute.closed", dispute, () => {
    dispute.status = outcome;
  });
}

function detailsOf({
  payment_method_details: paid,
}: Stripe.Charge): Pick<Stripe.Dispute, "payment_method_details"> {
  const brand = paid?.card?.brand;
  if (!brand) return {};
  const card = { brand, case_type: "chargeback", network: brand, network_reason_code: "10.4" } as const;
  return { payment_method_details: { card, type: "card" } };
}

function noEvidence(): Stripe.Dispute.Evidence {
  return {
    access_activity_log: null,
    billing_address: null,
    cancellation_policy: null,
    cancellation_policy_disclosure: null,
    cancellation_rebuttal: null,
    customer_communication: null,
    customer_email_address: null,
    customer_name: null,
    customer_purchase_ip: null,
    customer_signature: null,
    duplicate_charge_documentation: null,
    duplicate_charge_explanation: null,
    duplicate_charge_id: null,
    enhanced_evidence: {},
    product_description: null,
    receipt: null,
    refund_policy: null,
    refund_policy_disclosure: null,
    refund_refusal_explanation: null,
    service_date: null,
    service_documentation: null,
    shipping_address: null,
    shipping_carrier: null,
    shipping_date: null,
    shipping_documentation: null,
    shipping_tracking_number: null,
    uncategorized_file: null,
    uncategorized_text: null,
  };
}
