import { DatabaseAway } from "./away.ts";

const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 5_000;

/**
 * After a failure nobody tries for a while, then one does for all: a database that comes back is not met by a storm, and
 * a page that needs several queries waits for the first only.
 */
export class CircuitBreaker {
  #failures = 0;
  #retryAt = 0;
  #isProbing = false;

  /** Throws while it is not worth trying. */
  admit(): void {
    if (this.#failures === 0) return;
    if (this.#isProbing || Date.now() < this.#retryAt) throw new DatabaseAway("The database does not answer");
    this.#isProbing = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isProbing = false;
  }

  failed(): void {
    this.#failures++;
    this.#isProbing = false;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, LONGEST_WAIT_MS);
    this.#retryAt = Date.now() + wait * (0.5 + Math.random() / 2);
  }

  /** Says nothing new of the database: whoever probes next may. */
  passed(): void {
    if (!this.#isProbing) return;
    this.failed();
  }
}
