import { ProviderUnreachable } from "./providers/provider.ts";

/** Whether a question to the payment provider failed because it did not answer, or would not. */
export function isProviderAway(error: unknown): error is ProviderUnreachable {
  return error instanceof ProviderUnreachable;
}
