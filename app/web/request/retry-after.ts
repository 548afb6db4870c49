export const RETRY_AFTER_SECONDS = {
  /** Outages of the database and crowds are over within seconds. */
  busy: 5,
  restart: 2,
  provider: 60,
};

const NAME = "Retry-After";

export function retryAfter(seconds: number): { [NAME]: string } {
  return { [NAME]: String(seconds) };
}

export function setRetryAfter(headers: Headers, seconds: number): void {
  headers.set(NAME, String(seconds));
}
