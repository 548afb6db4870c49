import { post, type WebhookRequest } from "./post.ts";
import { shuffled, USUAL_MODE, type WebhookMode } from "./webhook-mode.ts";

const DEADLINE_MS = 10_000;
const MAX_AT_ONCE = 50;
const MAX_ATTEMPTS = 10;
const MAX_WAIT_MS = 30_000;

interface Delivery<E> {
  event: E;
  attempt: number;
}

interface Options<E> {
  /** The request that brings an event to the site; null without a site, so that all count as delivered. */
  requestFor: ((event: E, how: { isForged: boolean }) => WebhookRequest) | null;
  random: (() => number) | undefined;
  maxAttempts?: number;
  onDelivered: (event: E) => void;
  /** Called after the last attempt. */
  onGivenUp?: (event: E) => void;
}

/** Sends events to the site until it responds with 2xx. */
export class Deliveries<E> {
  #mode = USUAL_MODE;
  #heldBack: E[] = [];
  #ready: Delivery<E>[] = [];
  #sending = 0;
  #waiting = new Set<NodeJS.Timeout>();
  #idle: (() => void)[] = [];
  readonly #stopping = new AbortController();
  readonly #options: Options<E>;
  readonly #random: () => number;

  constructor(options: Options<E>) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** Omitted settings return to their defaults. */
  set(mode: WebhookMode): void {
    this.#mode = { ...USUAL_MODE, ...mode };
  }

  get mode(): Required<WebhookMode> {
    return this.#mode;
  }

  get heldBack(): E[] {
    return [...this.#heldBack];
  }

  send(event: E): void {
    if (this.#stopping.signal.aborted) return;
    if (!this.#options.requestFor) this.#options.onDelivered(event);
    else if (this.#mode.mode === "hold") this.#heldBack.push(event);
    else if (this.#mode.mode === "deliver") this.#enqueue(event);
    else this.#options.onDelivered(event);
  }

  /** Sends held events. `order` lists positions in the list of held events; events it omits stay held. */
  flush({ order, shuffle = false }: { order?: number[]; shuffle?: boolean } = {}): void {
    const heldBack = this.#heldBack;
    const indexes = order ?? heldBack.map((_, index) => index);
    this.#heldBack = heldBack.filter((_, index) => !indexes.includes(index));
    const chosen = indexes.flatMap((index) => heldBack[index] ?? []);
    for (const event of shuffle ? shuffled(chosen, this.#random) : chosen) this.#enqueue(event);
  }

  resend(event: E): void {
    if (this.#options.requestFor && !this.#stopping.signal.aborted) this.#enqueue(event);
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

  #enqueue(event: E): void {
    for (let copy = 0; copy < this.#mode.repeat; copy++) {
      this.#after(this.#mode.delayMs, { event, attempt: 1 });
    }
  }

  #after(ms: number, delivery: Delivery<E>): void {
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

  #next(): Delivery<E> | undefined {
    if (!this.#mode.shuffle) return this.#ready.shift();
    const index = Math.floor(this.#random() * this.#ready.length);
    return this.#ready.splice(index, 1)[0];
  }

  async #attempt({ event, attempt }: Delivery<E>): Promise<void> {
    const { onDelivered, onGivenUp, maxAttempts = MAX_ATTEMPTS } = this.#options;
    if (await this.#isTaken(event)) return onDelivered(event);
    if (this.#stopping.signal.aborted) return;
    if (attempt >= maxAttempts) return onGivenUp?.(event);
    this.#after(Math.min(this.#mode.retryMs * 2 ** (attempt - 1), MAX_WAIT_MS), {
      event,
      attempt: attempt + 1,
    });
  }

  async #isTaken(event: E): Promise<boolean> {
    const { requestFor } = this.#options;
    if (!requestFor) return true;
    const isForged = this.#random() < this.#mode.forgedShare;
    const deadline = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(DEADLINE_MS)]);
    return post(requestFor(event, { isForged }), deadline);
  }

  #settle(): void {
    if (this.#sending > 0 || this.#ready.length > 0 || this.#waiting.size > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
