import Stripe from "stripe";
import { shuffled, USUAL_MODE, type WebhookMode } from "./webhook-mode.ts";

const DEADLINE_MS = 10_000;
const MAX_AT_ONCE = 50;
const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 30_000;

interface Delivery {
  event: Stripe.Event;
  attempt: number;
}

/** Signs events and sends them to the site until it responds with 2xx. */
export class Deliveries {
  #mode = USUAL_MODE;
  #heldBack: Stripe.Event[] = [];
  #ready: Delivery[] = [];
  #sending = 0;
  #waiting = new Set<NodeJS.Timeout>();
  #idle: (() => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #target: { url: string; secret: string } | undefined;
  readonly #random: () => number;
  readonly #onDelivered: (event: Stripe.Event) => void;

  constructor(options: {
    target: { url: string; secret: string } | undefined;
    random: () => number;
    onDelivered: (event: Stripe.Event) => void;
  }) {
    this.#target = options.target;
    this.#random = options.random;
    this.#onDelivered = options.onDelivered;
  }

  /** Omitted settings return to their defaults. */
  set(mode: WebhookMode): void {
    this.#mode = { ...USUAL_MODE, ...mode };
  }

  get mode(): Required<WebhookMode> {
    return this.#mode;
  }

  get heldBack(): Stripe.Event[] {
    return [...this.#heldBack];
  }

  send(event: Stripe.Event): void {
    if (this.#stopping.signal.aborted) return;
    if (!this.#target) this.#onDelivered(event);
    else if (this.#mode.mode === "hold") this.#heldBack.push(event);
    else if (this.#mode.mode === "deliver") this.#enqueue(event);
    else this.#onDelivered(event);
  }

  /** Sends held events. `order` lists positions in the list of held events; events it omits stay held. */
  flush({ order, shuffle = false }: { order?: number[]; shuffle?: boolean } = {}): void {
    const heldBack = this.#heldBack;
    const indexes = order ?? heldBack.map((_, index) => index);
    this.#heldBack = heldBack.filter((_, index) => !indexes.includes(index));
    const chosen = indexes.flatMap((index) => heldBack[index] ?? []);
    for (const event of shuffle ? shuffled(chosen, this.#random) : chosen) this.#enqueue(event);
  }

  resend(event: Stripe.Event): void {
    if (this.#target && !this.#stopping.signal.aborted) this.#enqueue(event);
  }

  /** Resolves when no delivery or retry is pending. Held events do not count. */
  idle(): Promise<void> {
    return new Promise((resolve) => {
      this.#idle.push(resolve);
      this.#settle();
    });
  }

  stop(): void {
    this.#stopping.abort();
    for (const timer of this.#waiting) clearTimeout(timer);
    this.#waiting.clear();
    this.#ready = [];
    this.#settle();
  }

  #enqueue(event: Stripe.Event): void {
    for (let copy = 0; copy < this.#mode.repeat; copy++) {
      this.#after(this.#mode.delayMs, { event, attempt: 1 });
    }
  }

  #after(ms: number, delivery: Delivery): void {
    const timer = setTimeout(() => {
      this.#waiting.delete(timer);
      this.#ready.push(delivery);
      this.#pump();
    }, ms);
    this.#waiting.add(timer);
  }

  #pump(): void {
    while (this.#sending < MAX_AT_ONCE) {
      const delivery = this.#next();
      if (!delivery) break;
      this.#sending++;
      void this.#attempt(delivery).finally(() => {
        this.#sending--;
        this.#pump();
      });
    }
    this.#settle();
  }

  #next(): Delivery | undefined {
    if (!this.#mode.shuffle) return this.#ready.shift();
    const index = Math.floor(this.#random() * this.#ready.length);
    return this.#ready.splice(index, 1)[0];
  }

  async #attempt({ event, attempt }: Delivery): Promise<void> {
    if (await this.#isTaken(event)) return this.#onDelivered(event);
    if (attempt >= MAX_ATTEMPTS || this.#stopping.signal.aborted) return;
    this.#after(Math.min(this.#mode.retryMs * 2 ** (attempt - 1), MAX_WAIT_MS), {
      event,
      attempt: attempt + 1,
    });
  }

  async #isTaken(event: Stripe.Event): Promise<boolean> {
    if (!this.#target) return true;
    const payload = JSON.stringify(event);
    const isForged = this.#random() < this.#mode.badSignatureShare;
    const secret = isForged ? "whsec_of_somebody_else" : this.#target.secret;
    const response = await fetch(this.#target.url, {
      method: "POST",
      body: payload,
      redirect: "manual",
      signal: AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(DEADLINE_MS)]),
      headers: {
        "content-type": "application/json; charset=utf-8",
        "user-agent": "Stripe/1.0 (stand-in)",
        "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret }),
      },
    }).catch(() => null);
    // The body must be read to its end, or the connection is not reused.
    await response?.arrayBuffer().catch(() => null);
    return response?.ok ?? false;
  }

  #settle(): void {
    if (this.#sending > 0 || this.#ready.length > 0 || this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
