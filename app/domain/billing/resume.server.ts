import { change, type LeavingOutcome } from "./cancel.server.ts";
import type { Held } from "./held.server.ts";
import { PATIENCE_MS, withPatience } from "./patience.ts";
import { findPayPage } from "./pay-page.server.ts";
import { isProviderAway } from "./provider-away.ts";
import { refreshCustomer } from "./reconcile.server.ts";

const LEAST_MS = 1_000;

/** `payUrl`: the provider's page on which what is still owed for it is paid; null when nothing is, or we know of no page. */
export interface Resumed {
  outcome: LeavingOutcome;
  payUrl: string | null;
}

/** Ends a pause: a period begins and is charged. Of a subscription that is not paused nothing changes. */
export async function resumeSubscription(held: Held): Promise<Resumed> {
  const begun = Date.now();
  const outcome = await change("resume", held, (provider) => provider.resume(held.id));
  if (outcome === "over" || outcome === "elsewhere") return { outcome, payUrl: null };
  try {
    await withPatience(refreshCustomer(held.userId), Math.max(LEAST_MS, PATIENCE_MS - (Date.now() - begun)));
  } catch (error) {
    if (!isProviderAway(error)) throw error;
    return { outcome, payUrl: null };
  }
  // An earlier try may have left an invoice: the provider takes no second one before that is paid.
  const { status, url } = await findPayPage(held.id);
  // Its answer may be lost, or another press was first: what counts is how it stands.
  return status === "active" ? { outcome: "done", payUrl: null } : { outcome, payUrl: url };
}
