import { and, eq, isNull, notInArray } from "drizzle-orm";
import {
  ENDED_STATUSES,
  endOf,
  type StateKind,
  subscriptionState,
} from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { type Subscription, subscriptions } from "#db/schema/subscriptions.ts";
import { ProviderUnreachable } from "../providers/contract/provider.ts";
import { providerOf, sellingProvider } from "../providers/providers.server.ts";
import {
  findOwn,
  isRowOf,
  type OwnSubscription,
  selectOwn,
} from "../subscriptions/own-subscription.server.ts";
import { refreshSubscription } from "../sync/reconcile.server.ts";
import { type CancellationOutcome, changeSubscription } from "./change-subscription.server.ts";

/** "atPeriodEnd" and "now": the site ends it. "canceled": its member, or an earlier run, has ended it. */
type EndPlan = "atPeriodEnd" | "now" | "waits" | "canceled" | "prepaid" | "unknown" | "over";

const PLANS: Record<StateKind, EndPlan> = {
  running: "atPeriodEnd",
  uncollected: "atPeriodEnd",
  cardless: "atPeriodEnd",
  renewing: "atPeriodEnd",
  unrenewed: "atPeriodEnd",
  // Access goes on for some days, which an end would take away.
  grace: "waits",
  // The first payment is being made, or expires within a day.
  unbegun: "waits",
  // Nothing is paid and nothing is open, so nothing is lost, and the next subscription can be bought at once.
  overdue: "now",
  paused: "now",
  ending: "canceled",
  // Nothing renews.
  prepaid: "prepaid",
  unknown: "unknown",
  unknownEnded: "unknown",
  ended: "over",
  expired: "over",
};

export interface EndedRenewal {
  id: string;
  plan: EndPlan;
  /** The end of the period. */
  on: Date;
  /** Why the provider has not confirmed it, in a line for the host; null when it has. */
  failed: string | null;
}

/** Why the renewals of this provider cannot be ended; null when they can. */
export function renewalsRefusal(provider: string): "sells" | "notSetUp" | null {
  if (sellingProvider()?.name === provider) return "sells";
  return providerOf(provider) === null ? "notSetUp" : null;
}

/**
 * One after the other, in the order in which they would renew. Each counts once the provider has confirmed it, so a
 * run that was interrupted is repeated. A dry run goes by our own rows.
 */
export async function* endRenewals(
  provider: string,
  { isDryRun }: { isDryRun: boolean },
): AsyncGenerator<EndedRenewal> {
  const isOpen = notInArray(subscriptions.status, ENDED_STATUSES);
  const open = await selectOwn()
    .where(and(eq(subscriptions.provider, provider), isOpen))
    .orderBy(subscriptions.currentPeriodEnd, subscriptions.id);
  for (const own of open) {
    const failed = isDryRun ? null : await refreshSubscription(provider, own.id).then(() => null, ownFault);
    const row = await findOwn(own);
    if (row === null) continue;
    const plan = planOf(row);
    const result = { id: own.id, plan, on: endOf(row), failed };
    if (isDryRun || failed !== null) yield result;
    else yield { ...result, failed: await endRenewal(own, row, plan).catch(ownFault) };
  }
}

function planOf(row: NonNullable<Awaited<ReturnType<typeof findOwn>>>): EndPlan {
  const plan = PLANS[subscriptionState(row, row.now)];
  // A bank is sending the money, which nobody can stop.
  return plan === "now" && row.isPaymentPending ? "waits" : plan;
}

const CONFIRMED: CancellationOutcome[] = ["done", "unseen", "over"];
const NOT_CONFIRMED = "the provider has not confirmed it";

async function endRenewal(own: OwnSubscription, row: Subscription, plan: EndPlan): Promise<string | null> {
  if (plan === "canceled") await markEnd(own, "member");
  if (plan !== "atPeriodEnd" && plan !== "now") return null;
  const isTheirs = row.isRequestOpen && row.requestedChange === "cancel";
  await markEnd(own, isTheirs ? "member" : "site");
  const outcome = await changeSubscription(own, "cancel");
  return CONFIRMED.includes(outcome) ? null : NOT_CONFIRMED;
}

/** Before the provider is called, so that the email about its answer says whose end it is. */
async function markEnd(own: OwnSubscription, renewalEndedBy: "site" | "member"): Promise<void> {
  const isFirst = renewalEndedBy === "member" ? isNull(subscriptions.renewalEndedBy) : undefined;
  await db
    .update(subscriptions)
    .set({ renewalEndedBy })
    .where(and(isRowOf(own), isFirst));
}

function ownFault(error: unknown): string {
  return error instanceof ProviderUnreachable ? error.message : "the provider's answer could not be stored";
}
