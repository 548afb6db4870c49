import { isProviderUnreachable } from "../providers/provider-pages.server.ts";
import { PROVIDER_TIMEOUT_MS, withTimeout } from "../providers/timeout.ts";
import type { OwnSubscription } from "../subscriptions/own-subscription.server.ts";
import { findPayPage } from "../subscriptions/pay-page.server.ts";
import { refreshCustomer } from "../sync/reconcile.server.ts";
import { type CancellationOutcome, change } from "./cancel.server.ts";

const LEAST_MS = 1_000;

/** `payUrl`: the provider's page to pay what is owed; null when nothing is owed or no page is known. */
export interface Resumed {
  outcome: CancellationOutcome;
  payUrl: string | null;
}

export async function resumeSubscription(own: OwnSubscription): Promise<Resumed> {
  const begun = performance.now();
  const outcome = await change("resume", own, (provider) => provider.resume(own.id));
  if (outcome === "over" || outcome === "unknownToProvider") return { outcome, payUrl: null };
  try {
    await withTimeout(
      refreshCustomer(own.userId),
      Math.max(LEAST_MS, PROVIDER_TIMEOUT_MS - (performance.now() - begun)),
    );
  } catch (error) {
    if (!isProviderUnreachable(error)) throw error;
    return { outcome, payUrl: null };
  }
  // An earlier attempt may have left an unpaid invoice, and the provider creates no second one.
  const { status, url } = await findPayPage(own.id);
  // The answer may be lost, or another request came first, so the current state decides.
  return status === "active" ? { outcome: "done", payUrl: null } : { outcome, payUrl: url };
}
