import type Stripe from "stripe";

/** All that the stand-in knows. Plain JSON, so that it can be kept in a file. */
export interface State {
  /** Seconds by which the stand-in's clock is ahead. */
  clockOffset: number;
  products: Collection<Stripe.Product>;
  prices: Collection<Stripe.Price>;
  coupons: Collection<Stripe.Coupon>;
  promotionCodes: Collection<Stripe.PromotionCode>;
  discounts: Collection<Stripe.Discount>;
  customers: Collection<Stripe.Customer>;
  deletedCustomers: Collection<Stripe.DeletedCustomer>;
  paymentMethods: Collection<Stripe.PaymentMethod>;
  sessions: Collection<Stripe.Checkout.Session>;
  subscriptions: Collection<Stripe.Subscription>;
  invoices: Collection<Stripe.Invoice>;
  invoicePayments: Collection<Stripe.InvoicePayment>;
  paymentIntents: Collection<Stripe.PaymentIntent>;
  charges: Collection<Stripe.Charge>;
  refunds: Collection<Stripe.Refund>;
  disputes: Collection<Stripe.Dispute>;
  portalConfigurations: Collection<Stripe.BillingPortal.Configuration>;
  portalSessions: Collection<Stripe.BillingPortal.Session>;
  events: Collection<Stripe.Event>;
  /** What the purchase page needs and the session does not show. */
  purchases: Collection<Purchase>;
  /** What a subscription's clock needs and the subscription does not show. */
  timers: Collection<Timers>;
  answers: Collection<KeptAnswer>;
}

export type Collection<T> = Record<string, T>;

export interface Purchase {
  lines: Stripe.LineItem[];
  trialDays: number | null;
  trialEnd: number | null;
  whenCardIsMissing: Stripe.Subscription.TrialSettings.EndBehavior.MissingPaymentMethod;
  subscriptionMetadata: Stripe.Metadata;
  description: string | null;
  promotionCode: string | null;
  coupon: string | null;
}

export interface Timers {
  /** The ends, of a trial or of a period, that have been announced already. */
  trialEndAnnounced: number | null;
  renewalAnnounced: number | null;
  /** Number of payments that will fail whatever the card says. */
  failingPayments: number;
  /** What a change in mid-period leaves for the next invoice. */
  pendingLines: PendingLine[];
  /** Only while a bank is sending the money for an invoice; arrivesAt in seconds since 1970. */
  transfer?: { invoice: string; arrivesAt: number };
}

export interface PendingLine {
  amount: number;
  description: string;
  price: string;
  start: number;
  end: number;
  isProration?: boolean;
}

/** The first answer to an idempotency key. */
export interface KeptAnswer {
  fingerprint: string;
  status: number;
  body: string;
  /** Real seconds. */
  at: number;
}

export function emptyState(): State {
  return {
    clockOffset: 0,
    products: {},
    prices: {},
    coupons: {},
    promotionCodes: {},
    discounts: {},
    customers: {},
    deletedCustomers: {},
    paymentMethods: {},
    sessions: {},
    subscriptions: {},
    invoices: {},
    invoicePayments: {},
    paymentIntents: {},
    charges: {},
    refunds: {},
    disputes: {},
    portalConfigurations: {},
    portalSessions: {},
    events: {},
    purchases: {},
    timers: {},
    answers: {},
  };
}
