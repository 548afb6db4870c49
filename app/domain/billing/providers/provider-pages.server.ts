import { ProviderUnreachable } from "./contract/provider.ts";
import { currentProvider } from "./current-provider.server.ts";

/** Origins of the provider's pages, which forms of this site may lead to. */
export const PAYMENT_PAGES: readonly string[] = currentProvider()?.pageOrigins ?? [];

export function isProviderUnreachable(error: unknown): error is ProviderUnreachable {
  return error instanceof ProviderUnreachable;
}
