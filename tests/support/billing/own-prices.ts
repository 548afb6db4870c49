import type { Terms } from "#app/domain/billing/providers/contract/facts.ts";
import type { BillingProvider } from "#app/domain/billing/providers/contract/provider.ts";
import { providers } from "#app/domain/billing/providers/providers.server.ts";

/** Lets a provider without a catalog sell in this process until the returned function is called. It can do nothing else. */
export function sellOwnPrices(unfit: (terms: Terms) => string | null): () => void {
  const set = providers() as Map<string, BillingProvider>;
  const before = [...set];
  const till: Pick<BillingProvider, "name" | "unfit"> = { name: "till", unfit };
  set.clear();
  set.set("till", till as BillingProvider);
  return () => {
    set.clear();
    for (const [name, provider] of before) set.set(name, provider);
  };
}
