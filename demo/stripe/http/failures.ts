export interface FailureOrder {
  /** The status of the response; without one, the correct response is sent after the delay. */
  status?: number;
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

  take(path: string, method: string): FailureOrder | null {
    const index = this.#orders.findIndex(
      (order) => path.includes(order.pathIncludes ?? "") && (order.method ?? method) === method,
    );
    return index === -1 ? null : (this.#orders.splice(index, 1)[0] ?? null);
  }
}
