import { isDeepStrictEqual } from "node:util";
import type { Terms } from "../contract/facts.ts";

/** A period is paid beforehand, of any length and in any currency. Nobody can be charged for the one after it. */
export function unfitTerms({ first, renewal }: Terms): string | null {
  const isOwnPeriod = renewal !== null && !isDeepStrictEqual(first, renewal);
  return isOwnPeriod ? "it has a first period, and nothing renews after that" : null;
}
