import { config } from "#app/config.server.ts";
import type { PaymentMethod } from "#db/schema/auth.ts";
import type { Invoice, Price, Product, Subscription } from "#db/schema/billing.ts";

export const DEMO_PROVIDER = "demo";

export interface Offer {
  products: Product[];
  prices: Price[];
  unfit: { id: string; reason: string }[];
}

export type SubscriptionSnapshot = Omit<
  Subscription,
  "userId" | "fetchedAt" | "unknownSince" | "requestedChange" | "requestedAt" | "isRequestOpen"
> & {
  customerId: string;
  /** Null unless it is for one price that can be offered, in that price's own currency. */
  price: Price | null;
  product: Product | null;
  checkoutId: string | null;
  fingerprint: string | null;
  site: string | null;
};

export interface SoldLine {
  priceId: string;
  quantity: number;
  currency: string;
  unitAmount: number | null;
}

export type InvoiceSnapshot = Omit<
  Invoice,
  "userId" | "fetchedAt" | "amountRefunded" | "countedPaid" | "countedRefunded"
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
  trialDays: number | null;
  returnUrl: string;
  cancelUrl: string;
}

export interface CheckoutSnapshot {
  id: string;
  checkoutId: string | null;
  customerId: string | null;
  status: "open" | "completed" | "expired";
  isPaymentPending: boolean;
  url: string | null;
  subscriptionId: string | null;
  sold: SoldLine[];
}

export interface CustomerSnapshot {
  id: string;
  isDeleted: boolean;
  site: string | null;
  billingMethod: string | null;
  card: PaymentMethod | null;
}

/** Only a hint: the facts are fetched from the provider afterwards. */
export interface EventSubject {
  kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer" | "charge" | "dispute";
  id: string;
}

export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: Date;
  subject: EventSubject | null;
  customerId: string | null;
  isOtherSite: boolean;
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
  /** The same key gives the same customer. */
  createCustomer(person: { userId: string; email: string; key: string }): Promise<string>;
  /** The same order gives the same page. Also throws OrderRefused and CustomerUnknown. */
  startCheckout(order: CheckoutOrder): Promise<CheckoutSnapshot>;
  readCheckout(id: string): Promise<CheckoutSnapshot | null>;
  /** Nobody can pay on the page afterwards. A page that is over stays as it is. */
  expireCheckout(id: string): Promise<void>;
  /** Closes pages unknown to us, too. */
  closePages(customerId: string): Promise<void>;
  /** Closes pages, ends subscriptions and deletes the customer; invoices stay. Idempotent. */
  forgetCustomer(id: string): Promise<void>;
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
  endNow(subscriptionId: string): Promise<void>;
  keep(subscriptionId: string): Promise<void>;
  /** Starts and charges a new period of a paused subscription at once; any other stays as it is. */
  resume(subscriptionId: string): Promise<void>;
}

/** Only code in billing knows the provider; access decisions never call it. Every call may throw ProviderUnreachable. */
export interface BillingProvider extends Purchases, SubscriptionApi {
  name: string;
  pageOrigins: string[];
  readOffer(): Promise<Offer>;
  /** `body` must be exactly as sent. Null when it is stale, not signed by the provider, or not an event. */
  parseEvent(body: string, headers: Headers, receivedAt: Date): ProviderEvent | null;
}

/** The provider did not answer in time, or refuses our calls. The message is one line for the host, without secrets. */
export class ProviderUnreachable extends Error {}

export class OrderRefused extends Error {}

export class CustomerUnknown extends Error {}

/** One account may sell for several sites. An object that names none is ours. */
export function namesAnotherSite(site: string | null | undefined): boolean {
  return (site ?? config.billing.site) !== config.billing.site;
}
