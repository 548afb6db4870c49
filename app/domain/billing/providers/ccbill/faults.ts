import type { Faults } from "../calls/circuit-breaker.server.ts";
import { ProviderUnreachable } from "../contract/provider.ts";
import { NO_ANSWER, Outage, WrongSettings } from "./data-link.server.ts";

export const ccbillFaults: Faults = {
  isOutage: (error) => error instanceof Outage,
  isWrongSettings: (error) => error instanceof WrongSettings,
  reasonOf: (error) => (error instanceof ProviderUnreachable ? error.message : null),
  noAnswer: NO_ANSWER,
};
