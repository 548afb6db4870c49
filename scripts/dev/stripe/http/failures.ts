export interface FailureOrder {
  /** The status of the answer; none lets the right answer come, late. */
  status?: number;
  hangMs?: number;
  /** The effect takes place, and only the answer is lost. */
  afterEffect?: boolean;
  pathIncludes?: string;
  /** "POST", for example; any when not given. */
  method?: string;
  times?: number;
}

/** What goes wrong next, on request. */
export class Failures {
  #orders: FailureOrder[] = [];

  add(order: FailureOrder): void {
    for (let left = order.times ?? 1; left > 0; left--) this.#orders.push(order);
  }

  take(path: string, method: string): FailureOrder | null {
    const place = this.#orders.findIndex(
      (order) => path.includes(order.pathIncludes ?? "") && (order.method ?? method) === method,
    );
    return place === -1 ? null : (this.#orders.splice(place, 1)[0] ?? null);
  }
}
