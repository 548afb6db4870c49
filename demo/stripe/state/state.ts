import type Stripe from "stripe";

/** The whole state of the stand-in, as plain JSON so that it can be stored in a file. */
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
  schedules: Collection<Stripe.SubscriptionSchedule>;
  invoices: Collection<Stripe.Invoice>;
  invoicePayments: Collection<Stripe.InvoicePayment>;
  paymentIntents: Collection<Stripe.PaymentIntent>;
  charges: Collection<Stripe.Charge>;
  refunds: Collection<Stripe.Refund>;
  disputes: Collection<Stripe.Dispute>;
  portalConfigurations: Collection<Stripe.BillingPortal.Configuration>;
  portalSessions: Collection<Stripe.BillingPortal.Session>;
  events: Collection<Stripe.Event>;
  /** Data that the checkout page needs and the session does not contain. */
  purchases: Collection<Purchase>;
  /** Data that a subscription's clock needs and the subscription does not contain. */
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
  /** The trial end and the period end that were already announced. */
  trialEndAnnounced: number | null;
  renewalAnnounced: number | null;
  /** The number of payments that will fail regardless of the card. */
  failingPayments: number;
  /** Lines from a change in mid-period, for the next invoice. */
  pendingLines: PendingLine[];
  /** Present only while a bank transfer for an invoice is in progress; arrivesAt is in seconds since 1970. */
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

/** The first response to an idempotency key. */
export interface KeptAnswer {
  fingerprint: string;
  status: number;
  body: string;
  /** In seconds since 1970, by the real clock. */
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
    schedules: {},
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
