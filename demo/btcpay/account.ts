import { randomBytes } from "node:crypto";
import { type AccountOptions, StandInAccount } from "../stand-in/account.ts";
import type { Due } from "../stand-in/clock.ts";
import { Problem } from "../stand-in/problem.ts";
import type { Delivery, Invoice, State } from "./state.ts";

export interface BtcpaySettings {
  storeId: string;
  apiKey: string;
  webhookSecret: string;
}

/** Seconds until a failed delivery is repeated: about an hour in all. */
const REDELIVERIES = [10, 60, 600, 600, 600, 600, 600, 600];

export class BtcpayAccount extends StandInAccount<State> {
  readonly settings: BtcpaySettings;
  readonly #onDelivery: (delivery: Delivery) => void;

  constructor({
    settings,
    onDelivery,
    ...options
  }: AccountOptions<State> & { settings: BtcpaySettings; onDelivery: (delivery: Delivery) => void }) {
    super(options);
    this.settings = settings;
    this.#onDelivery = onDelivery;
  }

  newId(): string {
    return randomBytes(16).toString("base64url");
  }

  record(type: string, invoiceId: string, own: Record<string, unknown> = {}): void {
    const id = this.newId();
    this.#deliver({
      id,
      originalId: id,
      type,
      at: this.now(),
      invoiceId,
      own,
      attempt: 0,
      state: "waiting",
      redeliverAt: null,
    });
  }

  redeliver(delivery: Delivery): void {
    delivery.redeliverAt = null;
    const again = {
      id: this.newId(),
      at: this.now(),
      attempt: delivery.attempt + 1,
      state: "waiting",
    } as const;
    this.#deliver({ ...delivery, ...again });
  }

  failed(delivery: Delivery): void {
    delivery.state = "failed";
    const wait = REDELIVERIES[delivery.attempt];
    delivery.redeliverAt = wait === undefined ? null : this.now() + wait;
    this.changed();
  }

  listRedeliveries(): Due[] {
    return Object.values(this.state.deliveries).flatMap((delivery) =>
      delivery.redeliverAt === null
        ? []
        : [{ at: delivery.redeliverAt, run: () => this.redeliver(delivery) }],
    );
  }

  /** @throws {Problem} when there is none */
  invoice(id: string): Invoice {
    const found = Object.hasOwn(this.state.invoices, id) ? this.state.invoices[id] : undefined;
    if (!found) throw new Problem(404, "The invoice was not found");
    return found;
  }

  #deliver(delivery: Delivery): void {
    this.state.deliveries[delivery.id] = delivery;
    this.#onDelivery(delivery);
    this.changed();
  }
}
