import type { PaymentMethod } from "#db/schema/auth.ts";
import type { Invoice } from "#db/schema/invoices.ts";
import type { FirstPeriod, Price, Product } from "#db/schema/prices.ts";
import type { Subscription } from "#db/schema/subscriptions.ts";
import type { EventReceiver, Told } from "./events.ts";
import type { Terms } from "./facts.ts";

export interface Offer {
  products: Product[];
  prices: Price[];
  unfit: { id: string; reason: string }[];
}

export type SubscriptionSnapshot = Omit<
  Subscription,
  | "userId"
  | "fetchedAt"
  | "unknownSince"
  | "requestedChange"
  | "requestedAt"
  | "isRequestOpen"
  | "renewalEndedBy"
> & {
  customerId: string;
  /** Null unless it is for one price that can be offered, in that price's own currency. */
  price: Price | null;
  product: Product | null;
  checkoutId: string | null;
  /** What was sold, where the provider's prices have no ids. */
  soldTerms: Terms | null;
  fingerprint: string | null;
  /** The account sells for several sites, and this one is not ours. */
  isOtherSite: boolean;
  /** It was moved to another site's price. */
  hasOtherSitesPrice: boolean;
};

/** By the price's id or, where the provider knows no prices, by its terms. */
export type SoldLine =
  | { priceId: string; quantity: number; currency: string; unitAmount: number | null }
  | { terms: Terms };

export type InvoiceSnapshot = Omit<
  Invoice,
  | "userId"
  | "fetchedAt"
  | "amountRefunded"
  | "amountDisputed"
  | "countedPaid"
  | "countedRefunded"
  | "countedDisputed"
> & {
  customerId: string;
  /** A purchase's lines and the order's checkoutId; null for all later invoices. */
  first: { checkoutId: string | null; sold: SoldLine[] } | null;
};

export interface CheckoutOrder {
  /** Our id. With the customer it is the idempotency key, and the provider returns it. */
  checkoutId: string;
  customerId: string;
  priceId: string;
  /** The currency of the purchase terms: a price may be for sale in several. */
  currency: string;
  firstPeriod: FirstPeriod | null;
  /** The same in words that need no catalog of prices. */
  terms: Terms;
  returnUrl: string;
  cancelUrl: string;
}

export interface CheckoutSnapshot {
  id: string;
  checkoutId: string | null;
  customerId: string | null;
  status: "open" | "completed" | "expired";
  isPaymentPending: boolean;
  /** What has come, while it is less than the price; null where a page takes only all of it. */
  partPaid: number | null;
  url: string | null;
  subscriptionId: string | null;
  sold: SoldLine[];
}

export interface CustomerSnapshot {
  id: string;
  isDeleted: boolean;
  isOtherSite: boolean;
  billingMethod: string | null;
  card: PaymentMethod | null;
}

export interface ChargeSnapshot {
  id: string;
  customerId: string | null;
  invoiceId: string | null;
  subscriptionId: string | null;
  amount: number;
  amountRefunded: number;
  isDisputed: boolean;
}

export interface Purchases {
  /** The same key gives the same customer. Where a provider has no customers, a new id of ours. */
  createCustomer(person: { userId: string; email: string; key: string }): Promise<string>;
  /** The same order gives the same page. Also throws OrderRefused and CustomerUnknown. */
  startCheckout(order: CheckoutOrder): Promise<CheckoutSnapshot>;
  readCheckout(id: string): Promise<CheckoutSnapshot | null>;
  /** Nobody can pay on the page afterwards. A page that is over stays as it is. Only called with `canClose`. */
  expireCheckout(id: string): Promise<void>;
  /** Closes pages unknown to us, too. Only called with `canClose`. */
  closePages(customerId: string): Promise<void>;
  /** Closes pages, ends subscriptions and deletes the customer; invoices stay. Idempotent. */
  forgetCustomer(id: string): Promise<void>;
  /** Null for a customer that the provider does not know. Only called with `portal`. */
  openPortal(portal: { customerId: string; returnUrl: string }): Promise<string | null>;
}

export interface SubscriptionApi {
  readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  listSubscriptions(customerId: string): Promise<SubscriptionSnapshot[]>;
  readInvoice(id: string): Promise<InvoiceSnapshot | null>;
  listInvoices(customerId: string): Promise<InvoiceSnapshot[]>;
  /** Nobody can pay it afterwards. Only a first payment or renewal that is charged automatically; not one whose money a bank is sending. */
  voidInvoice(id: string): Promise<void>;
  readCustomer(id: string): Promise<CustomerSnapshot | null>;
  readCharge(id: string): Promise<ChargeSnapshot | null>;
  readDisputed(id: string): Promise<ChargeSnapshot | null>;
  /** Refunded or disputed charges among the customer's newest hundred. */
  listReversedCharges(customerId: string): Promise<ChargeSnapshot[]>;
  /** Prevents further charges. Succeeds for an ended subscription; throws for an unknown one. */
  endAtPeriodEnd(subscriptionId: string): Promise<void>;
  /** Also where the provider only stops charging: then the end is a fact of ours. */
  endNow(subscriptionId: string): Promise<void>;
  /** Only called with `can.keep`. */
  keep(subscriptionId: string): Promise<void>;
  /** Only called with `can.resume`. Starts and charges a new period of a paused subscription at once; any other stays as it is. */
  resume(subscriptionId: string): Promise<void>;
}

/** Only code in billing knows the providers; access decisions never call them. Every call may throw ProviderUnreachable. */
export interface BillingProvider extends Purchases, SubscriptionApi, EventReceiver {
  /** Also its part of the webhook's path, and its row in CAPABILITIES. */
  name: string;
  pageOrigins: string[];
  /** Only called with `offer: "provider"`. */
  readOffer(): Promise<Offer>;
  /** Why it cannot sell this, in words; null when it can. Only where prices are made here. */
  unfit(terms: Terms): string | null;
  /**
   * What happened lately, by the provider's own list; null when it wants to be asked later. Asked once an hour. Only called with
   * `truth: "facts"`.
   */
  readFeed(until: Date): Promise<Told[] | null>;
  /** Asks about one subscription, and stores a fact where the answer disagrees. True when it did. Only called with `truth: "facts"` and `renews`. */
  probe(subscriptionId: string): Promise<boolean>;
  /**
   * Stores the sale of a purchase whose event was lost. False for a subscription that the provider does not know. Only
   * called with `truth: "facts"`.
   */
  adopt(sale: { subscriptionId: string; checkoutId: string; terms: Terms; at: Date }): Promise<boolean>;
  /** Asks whether the login works, where that can be asked. A line for the host when it does not. */
  findFault(): Promise<string | null>;
  /** What the host has to enter at the provider, where that cannot be seen from here. */
  setup(addresses: { webhook: string; site: string }): string[];
  /** What the host has to set for events to arrive at `webhook`, in one line; null when nothing is missing. */
  findMissing(webhook: string): string | null;
}

/** The provider did not answer in time, or refuses our calls. The message is one line for the host, without secrets. */
export class ProviderUnreachable extends Error {}

export class OrderRefused extends Error {}

export class CustomerUnknown extends Error {}
