import { claimTrial } from "../offers/trials.server.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { listReversedSubscriptions } from "./refunds.server.ts";
import type { ProviderSnapshot } from "./snapshot.server.ts";

export async function fetchAndEnforce(
  provider: BillingProvider,
  fetch: () => Promise<ProviderSnapshot>,
): Promise<ProviderSnapshot> {
  const snapshot = await fetch();
  return (await enforceRules(provider, snapshot)) ? fetch() : snapshot;
}

async function enforceRules(provider: BillingProvider, snapshot: ProviderSnapshot): Promise<boolean> {
  const ended = new Set(await listReversedSubscriptions(provider, snapshot));
  for (const subscription of snapshot.subscriptions) {
    if (!ended.has(subscription.id) && !(await claimTrial(subscription))) ended.add(subscription.id);
  }
  for (const id of ended) await provider.endNow(id);
  return ended.size > 0;
}
