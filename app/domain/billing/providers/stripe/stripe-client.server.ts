import Stripe from "stripe";
import { ProviderUnreachable } from "../contract/provider.ts";
import { callThroughCircuit, isCircuitOpen } from "./circuit-breaker.server.ts";

/** This code was written against this version; the account's default does not matter. */
const API_VERSION = "2026-10-28.endive";
const STRIPE = "https://api.stripe.com";
const TIMEOUT_MS = 8_000;
const MAX_RETRIES = 2;

export interface StripeSettings {
  secretKey: string;
  /** Undefined for Stripe itself. */
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

type Call = (...given: never[]) => Promise<unknown>;

export function guardCalls<Calls extends { [Name in keyof Calls]: Call }>(
  stripe: Stripe,
  calls: Calls,
): Calls {
  const guarded = Object.entries<Call>(calls).map(
    ([name, call]) => [name, (...given: never[]) => callStripe(stripe, () => call(...given))] as const,
  );
  return Object.fromEntries(guarded) as Calls;
}

/** Stripe's own errors may quote a key; ours say only what the host can do. */
export async function callStripe<Answer>(stripe: Stripe, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await callThroughCircuit(stripe, question);
  } catch (error) {
    const reason = reasonOf(error);
    throw reason === null ? error : new ProviderUnreachable(reason);
  }
}

function reasonOf(error: unknown): string | null {
  const { errors } = Stripe;
  if (error instanceof errors.StripeAuthenticationError)
    return "Stripe refuses the key: correct STRIPE_SECRET_KEY.";
  if (error instanceof errors.StripePermissionError)
    return "The key in STRIPE_SECRET_KEY may not do this: give it the rights, or use another.";
  if (error instanceof errors.StripeConnectionError || isCircuitOpen(error))
    return "Stripe does not answer: try again later.";
  if (!(error instanceof errors.StripeError)) return null;
  return `Stripe answered with an error (${error.statusCode ?? "none"}, request ${error.requestId ?? "unknown"}).`;
}

export async function nullWhenMissing<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** For a change that may have happened between the last call and this one. */
export async function unlessRefused(change: Promise<unknown>): Promise<void> {
  await change.catch((error) => {
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  });
}

/** The unknown object is the request's customer, not its main object. */
export function isCustomerMissing(error: unknown): boolean {
  return isMissing(error) && error.param === "customer";
}

/** Only Stripe's own code counts: an object that cannot be reached still exists. */
function isMissing(error: unknown): error is Stripe.errors.StripeInvalidRequestError {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === "resource_missing";
}
