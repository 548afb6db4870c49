/** The wait that a refusal asks for, by its reason. A limit asks for its own seconds. */
export const RETRY_AFTER_SECONDS = {
  /** An outage of the database is over within seconds, and so is a moment with too many visitors. */
  busy: 5,
  /** nginx answers while a web process starts again. */
  restart: 2,
  /** The payment provider may take a minute. */
  provider: 60,
};

const NAME = "Retry-After";

export function retryAfter(seconds: number): { [NAME]: string } {
  return { [NAME]: String(seconds) };
}

export function setRetryAfter(headers: Headers, seconds: number): void {
  headers.set(NAME, String(seconds));
}
