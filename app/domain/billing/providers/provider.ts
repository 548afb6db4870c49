import type { PaymentMethod } from "#db/schema/auth.ts";
import type { invoices, prices, products, subscriptions } from "#db/schema/billing.ts";

/** A product and a price as our tables hold them, whoever sells them. */
export type OfferedProduct = typeof products.$inferSelect;
export type OfferedPrice = typeof prices.$inferSelect;

export interface Offer {
  products: OfferedProduct[];
  prices: OfferedPrice[];
  /** Ids of prices that cannot be offered here, with the reason in words. */
  unfit: { id: string; reason: string }[];
}

/** As our table holds it, but for who it belongs to: that the customer says. */
export type SubscriptionSnapshot = Omit<
  typeof subscriptions.$inferSelect,
  "userId" | "readAt" | "unknownSince" | "wish" | "wishedAt" | "isWishOpen"
> & {
  customerId: string;
  /** Null when it was not for one known price: several items, or an amount that is not fixed. */
  price: OfferedPrice | null;
  product: OfferedProduct | null;
  /** The order's checkoutId; null when it was not bought here. */
  checkoutId: string | null;
  /** The provider's, of the card or the bank account that it is paid with; null until there is one. */
  fingerprint: string | null;
  /** Whose it is where one account sells for several sites; null says nothing. */
  site: string | null;
};

/** One line of a purchase, before discounts and taxes. */
export interface SoldLine {
  priceId: string;
  quantity: number;
  currency: string;
  /** Of one, in the currency's smallest unit; null where it is not said, as of a free trial. */
  unitAmount: number | null;
}

/** What was paid back the charge says. */
export type InvoiceSnapshot = Omit<typeof invoices.$inferSelect, "userId" | "readAt" | "amountRefunded"> & {
  customerId: string;
  /** What a purchase was billed for, and the order's checkoutId; null for all later invoices. */
  first: { checkoutId: string | null; sold: SoldLine[] } | null;
};

export interface CheckoutOrder {
  /** Ours: with the customer the idempotency key, and what the provider hands back. */
  checkoutId: string;
  customerId: string;
  priceId: string;
  /** In which it was agreed to: a price may be for sale in several. */
  currency: string;
  trialDays: number | null;
  /** Where the provider sends the browser afterwards; addresses in full. */
  returnUrl: string;
  cancelUrl: string;
}

export interface CheckoutSnapshot {
  id: string;
  /** The order's checkoutId; null when it was not begun here. */
  checkoutId: string | null;
  customerId: string | null;
  status: "open" | "completed" | "expired";
  /** Completed, but the money is still on its way. */
  isPaymentPending: boolean;
  url: string | null;
  subscriptionId: string | null;
  /** Empty for one that was only just begun. */
  sold: SoldLine[];
}

export interface CustomerSnapshot {
  id: string;
  isDeleted: boolean;
  site: string | null;
  /** In the provider's words, for example "charge_automatically"; null without a subscription. */
  billingMethod: string | null;
  card: PaymentMethod | null;
}

/** What an event is about. It is a hint only: what is true is asked of the provider afterwards. */
export type EventSubject =
  | {
      kind: "product" | "price" | "checkout" | "subscription" | "invoice" | "customer" | "charge" | "dispute";
      id: string;
    }
  | { kind: "none" };

export interface ProviderEvent {
  id: string;
  type: string;
  createdAt: Date;
  subject: EventSubject;
  customerId: string | null;
  /** It names a site, and not ours. */
  isForeign: boolean;
}

/** Who was paid back or disputes: what it says of the invoice and the subscription. */
export interface ChargeSnapshot {
  id: string;
  customerId: string | null;
  invoiceId: string | null;
  subscriptionId: string | null;
  /** In the currency's smallest unit. */
  amount: number;
  amountRefunded: number;
  isDisputed: boolean;
}

/** What is for sale. */
interface Offers {
  /** Everything that is for sale now. */
  readOffer(): Promise<Offer>;
}

export interface Purchases {
  /** The same key gives the same customer. */
  createCustomer(person: { userId: string; email: string; key: string }): Promise<string>;
  /** The same order gives the same page, however often it is sent. Throws OrderRefused and CustomerUnknown, too. */
  startCheckout(order: CheckoutOrder): Promise<CheckoutSnapshot>;
  readCheckout(id: string): Promise<CheckoutSnapshot | null>;
  /** Nobody can pay it any more. One that is over already stays as it is. */
  expireCheckout(id: string): Promise<void>;
  /**
   * Closes every page that this customer could still pay on, ends what they have, and removes them there; invoices stay.
   * As often as anybody likes.
   */
  forgetCustomer(id: string): Promise<void>;
  /**
   * A page of the provider's where the card and the plan can be changed and invoices be seen; null when it does not know
   * the customer.
   */
  openPortal(portal: { customerId: string; returnUrl: string }): Promise<string | null>;
}

export interface Memberships {
  readSubscription(id: string): Promise<SubscriptionSnapshot | null>;
  /** All of a customer's, ended ones too; of a customer whom the provider does not know, none. */
  listSubscriptions(customerId: string): Promise<SubscriptionSnapshot[]>;
  readInvoice(id: string): Promise<InvoiceSnapshot | null>;
  /** The newest hundred. */
  listInvoices(customerId: string): Promise<InvoiceSnapshot[]>;
  readCustomer(id: string): Promise<CustomerSnapshot | null>;
  readCharge(id: string): Promise<ChargeSnapshot | null>;
  /** The charge that a dispute is about; null when there is none. */
  readDisputed(id: string): Promise<ChargeSnapshot | null>;
  /** Charges of a customer that were paid back or are disputed, among the newest hundred. */
  listReturned(customerId: string): Promise<ChargeSnapshot[]>;
  /** No charge follows. Ended already is as good; one that the provider does not know is not, and throws. */
  endAtPeriodEnd(subscriptionId: string): Promise<void>;
  endNow(subscriptionId: string): Promise<void>;
  /** Takes endAtPeriodEnd back. */
  keep(subscriptionId: string): Promise<void>;
  /** Begins a period at once, and charges for it, of one that is paused; any other stays as it is. */
  resume(subscriptionId: string): Promise<void>;
}

interface Events {
  /**
   * Reads what was sent, exactly as it came, with the headers that say who has. Throws a BadSignature when it is not from
   * the provider, or stale.
   */
  parseEvent(body: string, headers: Headers): ProviderEvent;
}

/**
 * What the site needs of whoever takes the payments. Nothing outside the billing room knows which one it is; access never
 * asks it, but reads our own rows. All that asks it throws ProviderUnreachable.
 */
export interface BillingProvider extends Offers, Purchases, Memberships, Events {
  /** Written into our rows, for example "stripe". */
  name: string;
  /** Of its pages, where forms of ours lead. */
  pageOrigins: string[];
}

/** The provider did not answer in time, or refuses us. The message is one line for the host, without secrets. */
export class ProviderUnreachable extends Error {}

/** The provider answers, and will not sell this: a price it has withdrawn, for example. */
export class OrderRefused extends Error {}

/** The provider answers that it has no such customer: it is of another account, or was deleted there. */
export class CustomerUnknown extends Error {}

/** Not signed by the provider with a secret that we know, or signed too long ago. */
export class BadSignature extends Error {}
