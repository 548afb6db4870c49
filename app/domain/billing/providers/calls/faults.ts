import { ProviderUnreachable } from "../contract/provider.ts";
import type { Faults } from "./circuit-breaker.server.ts";

/** No answer, or none that can be read: what was asked may have happened. */
export class Outage extends ProviderUnreachable {}

/** The login does not fit, or may not ask from here. */
export class WrongSettings extends ProviderUnreachable {}

/** For calls that throw these. */
export function faultsOf(noAnswer: string): Faults {
  return {
    isOutage: (error) => error instanceof Outage,
    isWrongSettings: (error) => error instanceof WrongSettings,
    reasonOf: (error) => (error instanceof ProviderUnreachable ? error.message : null),
    noAnswer,
  };
}

/** The line for the host when a question is not answered; null when it is. */
export function reasonUnlessDone(question: Promise<unknown>): Promise<string | null> {
  return question.then(
    () => null,
    (error: unknown) => {
      if (error instanceof ProviderUnreachable) return error.message;
      throw error;
    },
  );
}
