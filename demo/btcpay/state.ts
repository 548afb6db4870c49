/** The whole state of the stand-in, as plain JSON so that it can be stored in a file. Times are in seconds since 1970. */
export interface State {
  /** Seconds by which the stand-in's clock is ahead. */
  clockOffset: number;
  invoices: Record<string, Invoice>;
  deliveries: Record<string, Delivery>;
}

export type Status = "New" | "Processing" | "Settled" | "Expired" | "Invalid";

export interface Invoice {
  id: string;
  /** Amounts are decimal text. */
  amount: string;
  currency: string;
  metadata: { orderId?: string; buyerEmail?: string; [name: string]: unknown };
  checkout: CheckoutOptions;
  createdTime: number;
  expirationTime: number;
  monitoringExpiration: number;
  status: Status;
  additionalStatus: "None" | "PaidLate" | "PaidPartial" | "PaidOver" | "Marked";
  payments: Payment[];
}

export interface CheckoutOptions {
  speedPolicy: "HighSpeed" | "MediumSpeed" | "LowMediumSpeed" | "LowSpeed";
  expirationMinutes: number;
  monitoringMinutes: number;
  /** In percent of the amount. */
  paymentTolerance: number;
  redirectURL: string | null;
  redirectAutomatically: boolean;
}

export interface Payment {
  id: string;
  receivedDate: number;
  /** In the currency of the invoice. */
  value: string;
  status: "Processing" | "Settled";
  method: "BTC-CHAIN" | "BTC-LN";
  /** Null when it is settled, or never will be. */
  settlesAt: number | null;
  afterExpiration: boolean;
}

/** One attempt to bring an event to the site. */
export interface Delivery {
  id: string;
  originalId: string;
  type: string;
  at: number;
  invoiceId: string;
  /** The fields that only this type of event has. */
  own: Record<string, unknown>;
  attempt: number;
  state: "waiting" | "done" | "failed";
  redeliverAt: number | null;
}

export function emptyState(): State {
  return { clockOffset: 0, invoices: {}, deliveries: {} };
}
