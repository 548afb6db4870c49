// Needed because a person would wait ten seconds at each page while the provider does not answer: decision 083.
import {
  BrokenCircuitError,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  wrap,
} from "cockatiel";
import { ProviderUnreachable } from "../contract/provider.ts";

const MAX_CONSECUTIVE_FAILURES = 5;
const OPEN_FOR_MS = 5_000;
const WRONG_SETTINGS_FOR_MS = 3_600_000;

/** What a provider's errors mean. */
export interface Faults {
  isOutage(error: unknown): boolean;
  /** No call is made for an hour, because some providers lock a login that fails again. */
  isWrongSettings(error: unknown): boolean;
  /** A line for the host, without secrets, which the error itself may quote. Null for an error that is none of the connection. */
  reasonOf(error: unknown): string | null;
  noAnswer: string;
}

type Call = (...given: never[]) => Promise<unknown>;

export function guardCalls<Calls extends { [Name in keyof Calls]: Call }>(
  calls: Calls,
  faults: Faults,
): Calls {
  const guard = newGuard(faults);
  const guarded = Object.entries<Call>(calls).map(
    ([name, call]) => [name, (...given: never[]) => guard(() => call(...given))] as const,
  );
  return Object.fromEntries(guarded) as Calls;
}

/** While the circuit is open, only a test call every few seconds reaches the provider. */
export function newGuard({ isOutage, isWrongSettings, reasonOf, noAnswer }: Faults) {
  const outages = circuitBreaker(handleWhen(isOutage), {
    halfOpenAfter: OPEN_FOR_MS,
    breaker: new ConsecutiveBreaker(MAX_CONSECUTIVE_FAILURES),
  });
  const settings = circuitBreaker(handleWhen(isWrongSettings), {
    halfOpenAfter: WRONG_SETTINGS_FOR_MS,
    breaker: new ConsecutiveBreaker(1),
  });
  const circuit = wrap(settings, outages);
  let wrongSettings = noAnswer;
  return async <Answer>(question: () => Promise<Answer>): Promise<Answer> => {
    try {
      // Otherwise concurrent calls would wait for the test call, and then start.
      if ([settings, outages].some(({ state }) => state === CircuitState.HalfOpen))
        throw new BrokenCircuitError();
      return await circuit.execute(question);
    } catch (error) {
      if (error instanceof BrokenCircuitError)
        throw new ProviderUnreachable(settings.state === CircuitState.Closed ? noAnswer : wrongSettings);
      const reason = reasonOf(error);
      if (reason === null) throw error;
      if (isWrongSettings(error)) wrongSettings = reason;
      throw new ProviderUnreachable(reason);
    }
  };
}
