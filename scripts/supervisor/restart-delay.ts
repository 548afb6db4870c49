// Needed because a process that cannot start would be started again at once, forever.
const FIRST_MS = 500;
const MAX_MS = 30_000;
/** A process that ran this long is healthy; its next restart is quick again. */
const HEALTHY_AFTER_MS = 60_000;

export class RestartDelay {
  #nextMs = FIRST_MS;

  after(ranForMs: number): number {
    const delayMs = ranForMs > HEALTHY_AFTER_MS ? FIRST_MS : this.#nextMs;
    this.#nextMs = Math.min(delayMs * 2, MAX_MS);
    return delayMs;
  }
}
