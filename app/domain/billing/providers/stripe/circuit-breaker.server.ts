// Needed because a person would wait ten seconds at each page while Stripe does not answer: decision 083.
import { BrokenCircuitError, CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from "cockatiel";
import Stripe from "stripe";
import { ProviderUnreachable } from "../contract/provider.ts";

const MAX_CONSECUTIVE_FAILURES = 5;
const OPEN_FOR_MS = 5_000;

type Call = (...given: never[]) => Promise<unknown>;

export function guardCalls<Calls extends { [Name in keyof Calls]: Call }>(calls: Calls): Calls {
  const guard = newGuard();
  const guarded = Object.entries<Call>(calls).map(
    ([name, call]) => [name, (...given: never[]) => guard(() => call(...given))] as const,
  );
  return Object.fromEntries(guarded) as Calls;
}

/** While the circuit is open, only a test call every few seconds reaches Stripe. Its errors are reworded, because they may quote a key. */
export function newGuard() {
  const breaker = new ConsecutiveBreaker(MAX_CONSECUTIVE_FAILURES);
  const circuit = circuitBreaker(handleWhen(isOutage), { halfOpenAfter: OPEN_FOR_MS, breaker });
  return async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    try {
      // Otherwise concurrent calls would wait for the test call, and then start.
      if (circuit.state === CircuitState.HalfOpen) throw new BrokenCircuitError();
      return await circuit.execute(question);
    } catch (error) {
      const reason = reasonOf(error);
      throw reason === null ? error : new ProviderUnreachable(reason);
    }
  };
}

function isOutage(error: unknown): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
  // Rate limiting is not an outage: one caller could otherwise open the circuit for everybody.
  return status >= 500;
}

function reasonOf(error: unknown): string | null {
  const { errors } = Stripe;
  if (error instanceof errors.StripeAuthenticationError)
    return "Stripe rejects the key in STRIPE_SECRET_KEY. Correct it.";
  if (error instanceof errors.StripePermissionError)
    return "The key in STRIPE_SECRET_KEY lacks a permission for this. Give it the permission, or use another key.";
  if (error instanceof errors.StripeConnectionError || error instanceof BrokenCircuitError)
    return "Stripe does not answer. Try again later.";
  if (!(error instanceof errors.StripeError)) return null;
  return `Stripe answered with an error (${error.statusCode ?? "none"}, request ${error.requestId ?? "unknown"}).`;
}
