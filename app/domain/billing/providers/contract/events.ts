import type { ToldFact } from "./facts.ts";

/** A request to our webhook, as it arrived. */
export interface ProviderCall {
  method: string;
  url: URL;
  headers: Headers;
  body: string;
  /** The sender's address. */
  from: string;
  /** The secret part of the webhook's path; null without one. */
  token: string | null;
  /** The database's time: a web process whose clock is minutes off would refuse every event as too old. */
  at: Date;
}

/** What to fetch again. "facts": all that is stored about the subscription with this id. */
export interface EventSubject {
  kind:
    | "facts"
    | "product"
    | "price"
    | "checkout"
    | "subscription"
    | "invoice"
    | "customer"
    | "charge"
    | "dispute";
  id: string;
}

export interface ProviderEvent {
  /** Unique among all providers. Derived from the content where the provider gives none. */
  id: string;
  /** The provider's name for it. */
  type: string;
  createdAt: Date;
  /** Null when nothing here depends on the event. */
  subject: EventSubject | null;
  customerId: string | null;
  isOtherSite: boolean;
  /** Genuine, and of a kind that the adapter cannot read: kept for the host to see. */
  isUnknown?: boolean;
}

/** "signature": not signed by the provider, or stale; "form": signed, and no event. */
export type CallRefusal = "signature" | "address" | "token" | "account" | "form";

/** `facts` are stored in the commit of the event; empty where the provider is asked instead. */
export interface Told {
  event: ProviderEvent;
  facts: ToldFact[];
}

export type ReceivedCall = Told | { refused: CallRefusal };

export interface EventReceiver {
  /** The methods of the provider's calls. */
  methods: readonly ("GET" | "POST")[];
  receive(call: ProviderCall): ReceivedCall;
  /** What the provider expects to read. "accepted": it need not send the event again. */
  answer(outcome: "accepted" | CallRefusal): { status: number; body: string | null };
}

/** The type of what a list has told of a sale whose event has not arrived. */
export const SALE_WITHOUT_EVENT = "sale without its event";
