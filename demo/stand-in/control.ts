import type { Deliveries } from "./deliveries.ts";
import type { FailureOrder, Failures } from "./failures.ts";
import type { WebhookMode } from "./webhook-mode.ts";

/** What tests and newcomers can do with every stand-in. E is an event to the site. */
export interface SharedControl<E> {
  /** Seconds since 1970, by the stand-in's clock. */
  now(): number;
  /** Runs everything that falls due in these seconds, in order. */
  advance(seconds: number): Promise<void>;
  /** Omitted settings return to their defaults. */
  webhooks(mode: WebhookMode): void;
  webhookMode(): Required<WebhookMode>;
  heldBack(): E[];
  /** Sends held events; `order` lists positions in heldBack(), and events it omits stay held. */
  flush(options?: { order?: number[]; shuffle?: boolean }): void;
  resend(eventId: string): void;
  /** Resolves when no delivery is pending; held events do not count. */
  idle(): Promise<void>;
  failNext(order: FailureOrder): void;
  /** Forgets the failures that are still ordered. */
  answerAgain(): void;
}

export function sharedControl<E>({
  clock,
  advanceTo,
  deliveries,
  failures,
  findEvent,
}: {
  clock: { now(): number };
  advanceTo: (at: number) => void;
  deliveries: Deliveries<E>;
  failures: Failures;
  findEvent: (id: string) => E;
}): SharedControl<E> {
  return {
    now: () => clock.now(),
    advance: async (seconds) => advanceTo(clock.now() + seconds),
    webhooks: (mode) => deliveries.set(mode),
    webhookMode: () => deliveries.mode,
    heldBack: () => deliveries.heldBack,
    flush: (options) => deliveries.flush(options),
    resend: (eventId) => deliveries.resend(findEvent(eventId)),
    idle: () => deliveries.idle(),
    failNext: (order) => failures.add(order),
    answerAgain: () => failures.clear(),
  };
}
