import Stripe from "stripe";

/** This code was written against this version; the account's default does not matter. */
const API_VERSION = "2026-10-28.endive";
const STRIPE = "https://api.stripe.com";
const TIMEOUT_MS = 8_000;
/** With two retries, two 503s or 409s in a row cost a second and no error page. A 429 is never retried. */
const MAX_RETRIES = 2;

export interface StripeSettings {
  secretKey: string;
  apiUrl: string | undefined;
}

export function createStripe({ secretKey, apiUrl = STRIPE }: StripeSettings): Stripe {
  const { hostname, port, protocol } = new URL(apiUrl);
  const isSecure = protocol === "https:";
  return new Stripe(secretKey, {
    apiVersion: API_VERSION,
    timeout: TIMEOUT_MS,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
    host: hostname,
    port: port || (isSecure ? 443 : 80),
    protocol: isSecure ? "https" : "http",
  });
}

/** Origins of checkout, portal and invoices; a stand-in on this machine has two names. */
export function stripePages({ apiUrl }: Pick<StripeSettings, "apiUrl">): string[] {
  if (apiUrl === undefined) {
    return ["https://checkout.stripe.com", "https://billing.stripe.com", "https://invoice.stripe.com"];
  }
  const { origin, port } = new URL(apiUrl);
  return [origin, `http://localhost:${port}`];
}

export function nullWhenMissing<Answer>(
  answer: Promise<Answer>,
  isAbsent: (error: unknown) => boolean = isMissing,
): Promise<Answer | null> {
  return answer.catch((error) => {
    if (isAbsent(error)) return null;
    throw error;
  });
}

/** For a change that may have happened between the last call and this one. */
export async function unlessRefused(change: Promise<unknown>): Promise<void> {
  await change.catch((error) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}

export function isCustomerMissing(error: unknown): boolean {
  return isMissing(error) && error.param === "customer";
}

/** Only Stripe's own code counts: an object that cannot be reached still exists. */
function isMissing(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";
}
