import { eq } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { prices, products, subscriptions } from "#db/schema/billing.ts";
import { GIVEN, givenMemberships } from "./given.server.ts";
import { type Held, isRowOf } from "./held.server.ts";
import { cancelAskedAt, type Leaving, leavingOf } from "./leaving.ts";
import { priceWords } from "./money-words.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { ENDED_STATUSES } from "./owner.server.ts";
import { withPatience } from "./patience.ts";
import { isProviderAway } from "./provider-away.ts";
import { currentProvider } from "./providers/current-provider.server.ts";
import type { Memberships } from "./providers/provider.ts";
import { refreshSubscription } from "./reconcile.server.ts";
import { recordWish, settleWish, type Wish } from "./wishes.server.ts";

export interface HeldView {
  planName: string;
  price: string;
  leaving: Leaving;
  /** Since when it is to be cancelled, as far as its owner goes: "21 December 2026, 14:05 UTC". */
  askedAt: string | null;
}

/**
 * "done" also when it was so before. "away": the provider did not confirm it, and here nothing has changed. "recorded":
 * it did not, and is told as soon as it answers. "unseen": the provider has confirmed it, and did not answer when asked how
 * things stand now. "elsewhere": who takes this site's payments does not know it, or it was sold by another provider.
 */
export type LeavingOutcome = "done" | "over" | "away" | "recorded" | "unseen" | "elsewhere";

/** What may be shown of a subscription to whoever may end it; null when it is not theirs. */
export async function findHeld(held: Held): Promise<HeldView | null> {
  const [found] = await db
    .select({ subscription: subscriptions, price: prices, planName: products.name })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .where(isRowOf(held));
  if (found === undefined) return null;
  const { subscription, price, planName } = found;
  return {
    planName,
    price: priceWords(price),
    leaving: leavingOf(subscription),
    askedAt: cancelAskedAt(subscription),
  };
}

/** Ends it with what is paid for, or at once when nothing is. As often as anybody likes. */
export function cancelSubscription(held: Held): Promise<LeavingOutcome> {
  return wishFor(held, "cancel");
}

/** Takes a cancellation back, also one that the provider has not heard of. */
export function keepSubscription(held: Held): Promise<LeavingOutcome> {
  return wishFor(held, "keep");
}

async function wishFor(held: Held, wish: Wish): Promise<LeavingOutcome> {
  const recorded = await recordWish(held, wish);
  const outcome = await tellProvider(held, wish, recorded?.at ?? null);
  // They are told that it cannot be done, and by whom it can.
  if (outcome === "elsewhere" && recorded) await settleWish(held, recorded.at);
  return outcome === "away" && recorded?.isOpen ? "recorded" : outcome;
}

/** `wishedAt`: of the wish that is settled when the provider has confirmed it, or nothing is left to confirm. */
export function tellProvider(held: Held, wish: Wish, wishedAt: Date | null): Promise<LeavingOutcome> {
  const cancel: Ask = (provider, { kind }) =>
    kind === "now" ? provider.endNow(held.id) : provider.endAtPeriodEnd(held.id);
  const keep: Ask = (provider) => provider.keep(held.id);
  return change(wish, held, wish === "cancel" ? cancel : keep, wishedAt);
}

type What = Wish | "resume" | "withdraw";
type Ask = (
  provider: Pick<Memberships, "endAtPeriodEnd" | "endNow" | "keep" | "resume">,
  leaving: Leaving,
) => Promise<void>;

const SETTLED: LeavingOutcome[] = ["done", "unseen", "over"];

/** Asks the provider to change it, and writes how it stands then. */
export async function change(
  what: What,
  held: Held,
  ask: Ask,
  wishedAt: Date | null = null,
): Promise<LeavingOutcome> {
  const turn = oneAtATime(`${held.userId} ${held.id}`, what, async () => {
    const outcome = await changeNow(what, held, ask);
    if (wishedAt && SETTLED.includes(outcome)) await settleWish(held, wishedAt);
    return outcome;
  });
  try {
    return await withPatience(turn);
  } catch (error) {
    if (isProviderAway(error)) return "away";
    throw error;
  }
}

async function changeNow(what: What, held: Held, ask: Ask): Promise<LeavingOutcome> {
  const stored = await findRow(held);
  if (stored === undefined || ENDED_STATUSES.includes(stored.status)) return "over";
  if (stored.provider === GIVEN) return changeGiven(leavingOf(stored), ask);
  const provider = currentProvider();
  if (provider?.name !== stored.provider) return leavingOf(stored).kind === "over" ? "over" : "elsewhere";
  // What an event has not told us yet decides whether it ends now or with what is paid for.
  if (await isAway(refreshSubscription(held.id))) return "away";
  const fresh = await findRow(held);
  const leaving = fresh && leavingOf(fresh);
  if (leaving === undefined || leaving.kind === "over") return "over";
  if (leaving.kind === "elsewhere") return "elsewhere";
  if (await isAway(ask(provider, leaving))) {
    // Its answer may be lost after it was done: what counts is how it stands.
    if (await isAway(refreshSubscription(held.id))) return "away";
    return isAsAsked(what, await findRow(held)) ? "done" : "away";
  }
  return (await isAway(refreshSubscription(held.id))) ? "unseen" : "done";
}

function isAsAsked(what: What, row: Awaited<ReturnType<typeof findRow>>): boolean {
  if (row === undefined) return false;
  const { kind } = leavingOf(row);
  if (what === "withdraw") return kind === "over";
  if (what === "cancel") return kind === "ending" || kind === "over";
  return what === "keep" ? kind === "atPeriodEnd" : row.status === "active";
}

async function changeGiven(leaving: Leaving, ask: Ask): Promise<LeavingOutcome> {
  if (leaving.kind === "over") return "over";
  await ask(givenMemberships, leaving);
  return "done";
}

async function findRow(held: Held) {
  const [row] = await db.select().from(subscriptions).where(isRowOf(held));
  return row;
}

async function isAway(question: Promise<unknown>): Promise<boolean> {
  try {
    await question;
    return false;
  } catch (error) {
    if (isProviderAway(error)) return true;
    throw error;
  }
}
