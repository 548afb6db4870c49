export interface AccountOptions<S> {
  state: S;
  origin: string;
  port: number;
  onChange: () => void;
}

/** A provider's account at its stand-in: its state, which a file keeps, and its clock. */
export class StandInAccount<S extends { clockOffset: number }> {
  readonly state: S;
  readonly origin: string;
  /** Every origin under which a browser on this machine may have opened the stand-in. */
  readonly ownOrigins: string[];
  readonly #onChange: () => void;

  constructor({ state, origin, port, onChange }: AccountOptions<S>) {
    this.state = state;
    this.origin = origin;
    this.ownOrigins = [origin, `http://localhost:${port}`, `http://127.0.0.1:${port}`];
    this.#onChange = onChange;
  }

  /** Seconds since 1970, by the stand-in's clock. */
  now(): number {
    return Math.floor(Date.now() / 1000) + this.state.clockOffset;
  }

  moveClockTo(at: number): void {
    const seconds = at - this.now();
    if (seconds <= 0) return;
    this.state.clockOffset += seconds;
    this.changed();
  }

  changed(): void {
    this.#onChange();
  }
}
