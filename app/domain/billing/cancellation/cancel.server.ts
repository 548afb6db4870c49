import { eq, getTableColumns } from "drizzle-orm";
import { ENDED_STATUSES } from "#app/domain/access/subscription-status.ts";
import { db } from "#db/client.server.ts";
import { databaseTime } from "#db/clock.server.ts";
import { prices, products, subscriptions } from "#db/schema/billing.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import { oneAtATime } from "../providers/one-at-a-time.ts";
import type { SubscriptionApi } from "../providers/provider.ts";
import { DEMO_PROVIDER } from "../providers/provider.ts";
import { isProviderUnreachable } from "../providers/provider-pages.server.ts";
import { withTimeout } from "../providers/timeout.ts";
import { type CancellationState, cancellationState, cancelRequestedAt } from "../rules/cancellation-state.ts";
import { formatPrice } from "../rules/format-money.ts";
import { isRowOf, type OwnSubscription } from "../subscriptions/own-subscription.server.ts";
import { refreshSubscription } from "../sync/reconcile.server.ts";
import { type RequestedChange, recordRequest, settleRequest } from "./cancellation-requests.server.ts";
import { demoSubscriptionApi } from "./demo-subscriptions.server.ts";

export interface CancellationView {
  planName: string;
  price: string;
  cancellation: CancellationState;
  requestedAt: string | null;
}

/** "unreachable": nothing has changed. "recorded": it is sent again later. "unseen": done, but not read back. */
export type CancellationOutcome =
  | "done"
  | "over"
  | "unreachable"
  | "recorded"
  | "unseen"
  | "unknownToProvider";

/** Null when the subscription is not this user's. */
export async function findCancellation(own: OwnSubscription): Promise<CancellationView | null> {
  const [found] = await db
    .select({ subscription: subscriptions, price: prices, planName: products.name, now: databaseTime })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .where(isRowOf(own));
  if (found === undefined) return null;
  const { subscription, price, planName, now } = found;
  return {
    planName,
    price: formatPrice(price),
    cancellation: cancellationState(subscription, now),
    requestedAt: cancelRequestedAt(subscription),
  };
}

/** Cancels at the end of the paid period, or at once when nothing is paid. Idempotent. */
export function cancelSubscription(own: OwnSubscription): Promise<CancellationOutcome> {
  return requestChange(own, "cancel");
}

export function keepSubscription(own: OwnSubscription): Promise<CancellationOutcome> {
  return requestChange(own, "keep");
}

async function requestChange(
  own: OwnSubscription,
  requestedChange: RequestedChange,
): Promise<CancellationOutcome> {
  const recorded = await recordRequest(own, requestedChange);
  const outcome = await sendChange(own, requestedChange, recorded?.at ?? null);
  if (outcome === "unknownToProvider" && recorded) await settleRequest(own, recorded.at);
  return outcome === "unreachable" && recorded?.isOpen ? "recorded" : outcome;
}

/** `requestedAt`: of the stored request, settled once the provider has confirmed it or nothing is left to do. */
export function sendChange(
  own: OwnSubscription,
  requestedChange: RequestedChange,
  requestedAt: Date | null,
): Promise<CancellationOutcome> {
  const cancel: ProviderCall = (provider, { kind }) =>
    kind === "now" ? provider.endNow(own.id) : provider.endAtPeriodEnd(own.id);
  const keep: ProviderCall = (provider) => provider.keep(own.id);
  return change(requestedChange, own, requestedChange === "cancel" ? cancel : keep, requestedAt);
}

type What = RequestedChange | "resume" | "withdraw";
type ProviderCall = (
  provider: Pick<SubscriptionApi, "endAtPeriodEnd" | "endNow" | "keep" | "resume">,
  cancellation: CancellationState,
) => Promise<void>;

const SETTLED: CancellationOutcome[] = ["done", "unseen", "over"];

/** Requests the change at the provider, then syncs the subscription. Never throws ProviderUnreachable. */
export async function change(
  what: What,
  own: OwnSubscription,
  call: ProviderCall,
  requestedAt: Date | null = null,
): Promise<CancellationOutcome> {
  const turn = oneAtATime(`${own.userId} ${own.id}`, what, async () => {
    const outcome = await changeNow(what, own, call);
    if (requestedAt && SETTLED.includes(outcome)) await settleRequest(own, requestedAt);
    return outcome;
  });
  try {
    return await withTimeout(turn);
  } catch (error) {
    if (isProviderUnreachable(error)) return "unreachable";
    throw error;
  }
}

async function changeNow(what: What, own: OwnSubscription, call: ProviderCall): Promise<CancellationOutcome> {
  const stored = await findRow(own);
  if (stored === undefined || ENDED_STATUSES.includes(stored.status)) return "over";
  if (stored.provider === DEMO_PROVIDER)
    return changeDemoSubscription(cancellationState(stored, stored.now), call);
  const provider = currentProvider();
  if (provider?.name !== stored.provider)
    return cancellationState(stored, stored.now).kind === "over" ? "over" : "unknownToProvider";
  // Our row may be outdated, and it decides between ending now and at the end of the period.
  if (await isUnreachable(refreshSubscription(own.id))) return "unreachable";
  const fresh = await findRow(own);
  const cancellation = fresh && cancellationState(fresh, fresh.now);
  if (cancellation === undefined || cancellation.kind === "over") return "over";
  if (cancellation.kind === "unknownToProvider") return "unknownToProvider";
  if (await isUnreachable(call(provider, cancellation))) {
    // The answer may be lost after the change was made, so the current state decides.
    if (await isUnreachable(refreshSubscription(own.id))) return "unreachable";
    return isAsRequested(what, await findRow(own)) ? "done" : "unreachable";
  }
  return (await isUnreachable(refreshSubscription(own.id))) ? "unseen" : "done";
}

function isAsRequested(what: What, row: Awaited<ReturnType<typeof findRow>>): boolean {
  if (row === undefined) return false;
  const { kind } = cancellationState(row, row.now);
  if (what === "withdraw") return kind === "over";
  if (what === "cancel") return kind === "ending" || kind === "over";
  return what === "keep" ? kind === "atPeriodEnd" : row.status === "active";
}

async function changeDemoSubscription(
  cancellation: CancellationState,
  call: ProviderCall,
): Promise<CancellationOutcome> {
  if (cancellation.kind === "over") return "over";
  await call(demoSubscriptionApi, cancellation);
  return "done";
}

async function findRow(own: OwnSubscription) {
  const [row] = await db
    .select({ ...getTableColumns(subscriptions), now: databaseTime })
    .from(subscriptions)
    .where(isRowOf(own));
  return row;
}

async function isUnreachable(question: Promise<unknown>): Promise<boolean> {
  try {
    await question;
    return false;
  } catch (error) {
    if (isProviderUnreachable(error)) return true;
    throw error;
  }
}
