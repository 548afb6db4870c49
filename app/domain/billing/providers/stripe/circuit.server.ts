import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
} from "cockatiel";
import Stripe from "stripe";

const MOST_FAILURES_IN_A_ROW = 5;
const CLOSED_FOR_MS = 10_000;

const circuits = new WeakMap<Stripe, CircuitBreakerPolicy>();

/**
 * Asks, unless the last five questions found nobody: then nobody waits for the same again, until one in ten seconds is
 * answered. A refusal is an answer.
 */
export function askThroughCircuit<Answer>(stripe: Stripe, question: () => Promise<Answer>): Promise<Answer> {
  let circuit = circuits.get(stripe);
  if (circuit === undefined) {
    const breaker = new ConsecutiveBreaker(MOST_FAILURES_IN_A_ROW);
    circuit = circuitBreaker(handleWhen(isOutage), { halfOpenAfter: CLOSED_FOR_MS, breaker });
    circuits.set(stripe, circuit);
  }
  // Who comes while that one is being asked would wait for its answer, and then ask.
  if (circuit.state === CircuitState.HalfOpen) return Promise.reject(new BrokenCircuitError());
  return circuit.execute(question);
}

/** Nothing was asked, as nobody has answered lately. */
export function isCircuitOpen(error: unknown): boolean {
  return error instanceof BrokenCircuitError;
}

function isOutage(error: Error): boolean {
  if (error instanceof Stripe.errors.StripeConnectionError) return true;
  const status = error instanceof Stripe.errors.StripeError ? (error.statusCode ?? 0) : 0;
  // Too many questions are no outage, or one who asks them would close it for everybody.
  return status >= 500;
}
