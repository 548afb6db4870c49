import type Stripe from "stripe";
import type { Account } from "../account.ts";
import { createCustomer } from "../api/customers.ts";
import { type Fault, invalid } from "../fault.ts";
import { idOf } from "../ids.ts";
import { attachCard, type Last4, makeCard, refusal } from "./cards.ts";
import { orderTransfer } from "./order-transfer.ts";
import { priceSession, trialEndOf } from "./price-session.ts";
import { startSubscription } from "./start-subscription.ts";
import { makeBankAccount } from "./transfers.ts";

/** The buyer pays on the hosted page. Returns why the card was refused; the session is then still open. */
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
