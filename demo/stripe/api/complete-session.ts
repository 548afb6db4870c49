import type Stripe from "stripe";
import { priceSession, trialEndOf } from "../invoices/price-session.ts";
import { attachCard, type Last4, makeCard, refusal } from "../payments/cards.ts";
import { orderTransfer } from "../payments/order-transfer.ts";
import type { Account } from "../state/account.ts";
import { type Fault, invalid } from "../state/fault.ts";
import { idOf } from "../state/ids.ts";
import { startSubscription } from "../subscriptions/start-subscription.ts";
import { makeBankAccount } from "../subscriptions/transfers.ts";
import { createCustomer } from "./customers.ts";

/** Completes the payment on the hosted page. Returns the reason for a declined card; the session then stays open. */
export function completeSession(
  account: Account,
  session: Stripe.Checkout.Session,
  { paidWith, email }: { paidWith: Last4 | "bank" | null; email: string },
): Fault | null {
  const purchase = account.state.purchases[session.id];
  const [line] = purchase?.lines ?? [];
  if (session.status !== "open" || !purchase || !line?.price) throw invalid("This session is over.");
  const last4 = paidWith === "bank" ? null : paidWith;
  const fault = last4 === null ? null : refusal(last4, { isPresent: true });
  if (fault) return fault;
  priceSession(account, session);
  const customer = customerOf(account, session, email);
  const isByBank = paidWith === "bank";
  const card = last4 === null ? null : makeCard(account, last4, customer.email);
  const method = isByBank ? makeBankAccount(account, customer.email) : card;
  if (method) attachCard(account, method, customer.id);
  const { subscription, invoice } = startSubscription(account, {
    customer: customer.id,
    price: line.price,
    currency: line.currency,
    quantity: line.quantity ?? 1,
    trialEnd: trialEndOf(account, session),
    whenCardIsMissing: purchase.whenCardIsMissing,
    paymentMethod: method?.id ?? null,
    promotionCode: purchase.promotionCode,
    coupon: purchase.coupon,
    hasAutomaticTax: session.automatic_tax.enabled,
    metadata: purchase.subscriptionMetadata,
    description: purchase.description,
    cancelAtPeriodEnd: false,
    isPresent: true,
    paysNow: !isByBank,
  });
  session.status = "complete";
  session.url = null;
  session.payment_status = session.amount_total === 0 ? "no_payment_required" : isByBank ? "unpaid" : "paid";
  if (session.payment_status === "unpaid") orderTransfer(account, invoice);
  session.customer = customer.id;
  session.subscription = subscription.id;
  session.invoice = invoice.id;
  session.customer_details = {
    address: null,
    business_name: null,
    email: customer.email,
    individual_name: null,
    name: customer.name ?? null,
    phone: null,
    tax_exempt: "none",
    tax_ids: [],
  };
  account.record("checkout.session.completed", session);
  return null;
}

function customerOf(account: Account, session: Stripe.Checkout.Session, email: string): Stripe.Customer {
  const known = account.state.customers[idOf(session.customer) ?? ""];
  if (!known) return createCustomer(account, { email: session.customer_email ?? email });
  if (known.email === null) {
    account.change("customer.updated", known, () => {
      known.email = email;
    });
  }
  return known;
}
