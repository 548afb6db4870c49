import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import Stripe from "stripe";

const MAX_CONSECUTIVE_FAILURES = 5;
const CLOSED_FOR_MS = 10_000;

const circuits = new WeakMap<Stripe, CircuitBreakerPolicy>();

/** Fails fast after five consecutive failures; one call every ten seconds tests Stripe. A refusal is no failure. */
export function callThroughCircuit<Answer>(stripe: Stripe, question: () => Promise<Answer>): Promise<Answer> {
  let circuit = circuits.get(stripe);
  if (circuit === undefined) {
    const breaker = new ConsecutiveBreaker(MAX_CONSECUTIVE_FAILURES);
    circuit = circuitBreaker(handleWhen(isOutage), { halfOpenAfter: CLOSED_FOR_MS, breaker });
    circuits.set(stripe, circuit);
  }
  // Otherwise concurrent calls would wait for the test call, and then start.
  if (circuit.state === CircuitState.HalfOpen) return Promise.reject(new BrokenCircuitError());
  return circuit.execute(question);
}

export function isCircuitOpen(error: unknown): boolean {
  return error instanceof BrokenCircuitError;
}

function isOutage(error: Error): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
  // Rate limiting is no outage: one caller could otherwise open the circuit for everybody.
  return status >= 500;
}
