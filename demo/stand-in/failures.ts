import { setTimeout as sleep } from "node:timers/promises";

export interface FailureOrder {
  /** The status of the response; without status or code, the correct response is sent after the delay. */
  status?: number;
  /** The provider's own code of an error, in a response with status 200. */
  code?: number;
  hangMs?: number;
  /** The change takes effect, and only the response is lost. */
  afterEffect?: boolean;
  pathIncludes?: string;
  /** For example "POST"; omitted means any method. */
  method?: string;
  times?: number;
}

/** Failures requested for the next matching API calls. */
export class Failures {
  #orders: FailureOrder[] = [];

  add(order: FailureOrder): void {
    for (let left = order.times ?? 1; left > 0; left--) this.#orders.push(order);
  }

  clear(): void {
    this.#orders = [];
  }

  /** Delays, refuses or loses the answer, as ordered. A client that has hung up makes no difference. */
  async around<A>(
    { path, method }: { path: string; method: string },
    answer: () => A,
    refuse: (order: { status: number; code?: number }) => A,
  ): Promise<A> {
    const order = this.#take(path, method);
    const isRefused = order?.status !== undefined || order?.code !== undefined;
    const refusal = () => refuse({ status: 200, ...order });
    if (order && !order.afterEffect) await sleep(order.hangMs ?? 0);
    if (isRefused && !order?.afterEffect) return refusal();
    // From here to the response nothing is awaited, so concurrent requests never interleave.
    const answered = answer();
    if (order?.afterEffect) await sleep(order.hangMs ?? 0);
    return isRefused ? refusal() : answered;
  }

  #take(path: string, method: string): FailureOrder | null {
    const index = this.#orders.findIndex(
      (order) => path.includes(order.pathIncludes ?? "") && (order.method ?? method) === method,
    );
    return index === -1 ? null : (this.#orders.splice(index, 1)[0] ?? null);
  }
}
