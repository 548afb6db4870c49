import Stripe from "stripe";
import { type AccountOptions, StandInAccount } from "../../stand-in/account.ts";
import { missing } from "./fault.ts";
import { newId } from "./ids.ts";
import type { Collection, State, Timers } from "./state.ts";

export type EventType = Stripe.Event.Type;
/** The status of a subscription after its last payment attempt failed. */
export type AfterRetries = "canceled" | "unpaid";

/** One account of the stand-in: its objects, its clock, and its events. */
export class Account extends StandInAccount<State> {
  afterRetries: AfterRetries = "canceled";
  /** Whether a number is the same card for everybody, as at Stripe. Otherwise each email address has its own. */
  hasSharedCards = false;
  /** The current request, which its events name. */
  request: Stripe.Event.Request = { id: null, idempotency_key: null };
  readonly #onEvent: (event: Stripe.Event) => void;

  constructor({ onEvent, ...options }: AccountOptions<State> & { onEvent: (event: Stripe.Event) => void }) {
    super(options);
    this.#onEvent = onEvent;
  }

  record(type: EventType, object: object, previous?: Record<string, unknown>): void {
    const event = {
      id: newId("evt"),
      object: "event",
      api_version: Stripe.API_VERSION,
      created: this.now(),
      data: { object: copyOf(object), ...(previous && { previous_attributes: previous }) },
      livemode: false,
      pending_webhooks: 1,
      request: this.request,
      type,
    } as Stripe.Event;
    this.state.events[event.id] = event;
    this.#onEvent(event);
    this.changed();
  }

  /** Records an event with the changed attributes; nothing when none changed. */
  change<T extends object>(type: EventType, object: T, make: (object: T) => void): T {
    const before: Record<string, unknown> = copyOf(object);
    make(object);
    const after: Record<string, unknown> = copyOf(object);
    const different = Object.keys({ ...before, ...after }).filter(
      (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
    );
    if (different.length === 0) return object;
    this.record(type, object, Object.fromEntries(different.map((key) => [key, before[key] ?? null])));
    return object;
  }

  find(id: string): object | null {
    const collections = Object.values(this.state).filter((part) => typeof part === "object");
    for (const collection of collections as Collection<object>[]) {
      const found = Object.hasOwn(collection, id) ? collection[id] : undefined;
      if (found && "object" in found) return found;
    }
    return null;
  }

  timersOf(subscriptionId: string): Timers {
    this.state.timers[subscriptionId] ??= {
      trialEndAnnounced: null,
      renewalAnnounced: null,
      failingPayments: 0,
      pendingLines: [],
    };
    return this.state.timers[subscriptionId];
  }
}

/** @throws {Fault} when it does not exist; param is the parameter that named it, or omitted when the path did */
export function required<T>(collection: Collection<T>, kind: string, id: string, param?: string): T {
  const found = Object.hasOwn(collection, id) ? collection[id] : undefined;
  if (found === undefined) throw missing(kind, id, param);
  return found;
}

/** The copy is as it goes over the wire, where decimals are text. */
export function copyOf<T>(object: object): T {
  return JSON.parse(JSON.stringify(object));
}
