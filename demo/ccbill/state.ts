import { randomInt } from "node:crypto";
import type { Order } from "./order.ts";

/** The whole state of the stand-in, as plain JSON so that it can be stored in a file. */
export interface State {
  /** Seconds by which the stand-in's clock is ahead. */
  clockOffset: number;
  /** The number of the newest id. */
  sequence: number;
  /** How webhooks are written, as chosen in CCBill's admin. */
  format: "json" | "form";
  subscriptions: Record<string, Subscription>;
  ledger: Entry[];
  events: Record<string, WebhookEvent>;
  /** The times of failed logins. Times are in seconds since 1970. */
  failedLogins: number[];
  lastExtractAt: number | null;
}

export interface Subscription {
  id: string;
  order: Order;
  /** The buyer's fields, in the names of webhooks. */
  person: Record<string, string>;
  last4: string;
  signedUpAt: number;
  paidUntil: number;
  timesRebilled: number;
  /** The number of renewals that will fail regardless of the card. */
  failingRenewals: number;
  retryAt: number | null;
  cancelledAt: number | null;
  expiredAt: number | null;
}

/** What the extract lists. */
export interface Entry {
  kind: "NEW" | "REBILL" | "REFUND" | "VOID" | "CHARGEBACK" | "EXPIRE";
  at: number;
  subscriptionId: string;
  transactionId: string;
  amount: string;
}

export interface WebhookEvent {
  /** Known to the stand-in only: CCBill's events have no id. */
  id: string;
  type: string;
  at: number;
  fields: Record<string, string>;
  isDone: boolean;
}

/** Begins at a random number, because a site may know the ids of a state that was deleted. */
export function emptyState(): State {
  return {
    clockOffset: 0,
    sequence: randomInt(1_000_000) * 1_000,
    format: "json",
    subscriptions: {},
    ledger: [],
    events: {},
    failedLogins: [],
    lastExtractAt: null,
  };
}
