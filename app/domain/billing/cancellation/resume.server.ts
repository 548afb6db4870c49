import { isUnreachable, PROVIDER_TIMEOUT_MS, withTimeout } from "../providers/timeout.ts";
import type { OwnSubscription } from "../subscriptions/own-subscription.server.ts";
import { findPayPage } from "../subscriptions/pay-page.server.ts";
import { refreshCustomer } from "../sync/reconcile.server.ts";
import { type CancellationOutcome, changeSubscription } from "./change-subscription.server.ts";

const LEAST_MS = 1_000;

/** `payUrl`: the provider's page to pay what is owed; null when nothing is owed or no page is known. */
export interface Resumed {
  outcome: CancellationOutcome;
  payUrl: string | null;
}

export async function resumeSubscription(own: OwnSubscription): Promise<Resumed> {
  const begun = performance.now();
  const outcome = await changeSubscription(own, "resume");
  if (outcome === "over" || outcome === "unknownToProvider") return { outcome, payUrl: null };
  const timeoutMs = Math.max(LEAST_MS, PROVIDER_TIMEOUT_MS - (performance.now() - begun));
  const refresh = withTimeout(refreshCustomer(own.userId), timeoutMs);
  if (await isUnreachable(refresh)) return { outcome, payUrl: null };
  // An earlier attempt may have left an unpaid invoice, and the provider creates no second one.
  const { status, url } = await findPayPage(own.id);
  // The answer may be lost, or another request came first, so the current state decides.
  return status === "active" ? { outcome: "done", payUrl: null } : { outcome, payUrl: url };
}
