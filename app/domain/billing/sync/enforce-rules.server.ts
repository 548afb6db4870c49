import { isSecondTrial } from "../offers/trials.server.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { findRefunded } from "./refunds.server.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";

/** Ends second trials and refunded or disputed subscriptions at the provider; fetches again if anything was ended. */
export async function enforceRules(
  provider: BillingProvider,
  fetch: () => Promise<ProviderSnapshot>,
): Promise<ProviderSnapshot> {
  const snapshot = await fetch();
  const ended = await findRefunded(provider, snapshot);
  for (const subscription of snapshot.subscriptions) {
    if (!ended.includes(subscription.id) && (await isSecondTrial(subscription))) ended.push(subscription.id);
  }
  for (const id of ended) await provider.endNow(id);
  return ended.length === 0 ? snapshot : fetch();
}
