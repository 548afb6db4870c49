import { type AccountOptions, StandInAccount } from "../stand-in/account.ts";
import { Problem } from "../stand-in/problem.ts";
import { timestampOf } from "./arizona-time.ts";
import type { CcbillSettings } from "./settings.ts";
import type { Entry, State, Subscription, WebhookEvent } from "./state.ts";

export class CcbillAccount extends StandInAccount<State> {
  readonly settings: CcbillSettings;
  readonly #onEvent: (event: WebhookEvent) => void;

  constructor({
    settings,
    onEvent,
    ...options
  }: AccountOptions<State> & { settings: CcbillSettings; onEvent: (event: WebhookEvent) => void }) {
    super(options);
    this.settings = settings;
    this.#onEvent = onEvent;
  }

  /** 19 digits with a leading zero, which no number can hold exactly. */
  newId(): string {
    this.state.sequence++;
    const day = timestampOf(this.now()).slice(2, 10).replaceAll("-", "");
    return `0${day}${String(this.state.sequence).padStart(12, "0")}`;
  }

  record(type: string, fields: Record<string, string>): void {
    const { clientAccnum, clientSubacc } = this.settings;
    const id = `event-${this.newId()}`;
    const at = this.now();
    const common = { clientAccnum, clientSubacc, timestamp: timestampOf(at) };
    const event = { id, type, at, fields: { ...common, ...fields }, isDone: false };
    this.state.events[id] = event;
    this.#onEvent(event);
    this.changed();
  }

  enter(entry: Omit<Entry, "at">): void {
    this.state.ledger.push({ ...entry, at: this.now() });
    this.changed();
  }

  /** @throws {Problem} when there is none */
  subscription(id: string): Subscription {
    const found = Object.hasOwn(this.state.subscriptions, id) ? this.state.subscriptions[id] : undefined;
    if (!found) throw new Problem(404, `There is no subscription ${id}.`);
    return found;
  }
}
