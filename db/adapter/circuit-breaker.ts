// Needed because each request waits for two seconds while the database does not answer: decision 035.

import { DatabaseUnreachable } from "./unreachable.ts";

const FIRST_WAIT_MS = 200;
/** Everything has to work within five seconds of the database's return, and the probe takes a part of them. */
const MAX_WAIT_MS = 4_000;

/** Lets queries fail fast after a failure, until one of them has probed the database. */
export class CircuitBreaker {
  #failures = 0;
  #retryAt = 0;
  #isProbing = false;

  admit(): void {
    if (this.#failures === 0) return;
    if (this.#isProbing || Date.now() < this.#retryAt)
      throw new DatabaseUnreachable("The database does not answer");
    this.#isProbing = true;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#isProbing = false;
  }

  failed(): void {
    this.#waitLonger();
  }

  /** For a result that says nothing about the database. A probe has learned nothing then: the next one waits longer. */
  inconclusive(): void {
    if (this.#isProbing) this.#waitLonger();
  }

  #waitLonger(): void {
    this.#failures++;
    this.#isProbing = false;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** this.#failures, MAX_WAIT_MS);
    this.#retryAt = Date.now() + wait * (0.5 + Math.random() / 2);
  }
}
