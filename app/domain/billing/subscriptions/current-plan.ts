import { type StateKind, subscriptionState } from "#app/domain/access/subscription-state.ts";
import { blocksPurchase, isLengthenedBy, isSoldAgain, type Seller } from "../rules/blocks-purchase.ts";
import { canCancel } from "../rules/cancellation-state.ts";
import { formatPrice } from "../rules/format-money.ts";
import { nextStep } from "../rules/next-step.ts";
import { overlapSentence, subscriptionSentence } from "../rules/subscription-sentence.ts";
import type { CurrentSubscription } from "./current-subscription.server.ts";

export type CurrentPlan = NonNullable<ReturnType<typeof currentPlan>>;
type State = "open" | "unrenewed" | "overdue" | "unbegun" | "paymentPending" | "paused";

export function currentPlan(
  subscription: CurrentSubscription | null,
  { now, seller, hasPortal }: { now: Date; seller: Seller; hasPortal: boolean },
) {
  if (subscription === null || !blocksPurchase(subscription, now, seller)) return null;
  const { price } = subscription;
  return {
    name: price.product.name,
    price: formatPrice(price, subscription),
    sentence: subscriptionSentence(subscription, now),
    next: nextStep(subscription, now, seller),
    state: stateOf(subscriptionState(subscription, now), subscription.isPaymentPending),
    canCancel: canCancel(subscription),
    hasPortal,
  };
}

/** Beside the offer, about a subscription that does not block another. */
export function pastSentence(
  subscription: CurrentSubscription | null,
  { now, seller }: { now: Date; seller: Seller },
): string | null {
  if (subscription === null) return null;
  const sentence = subscriptionSentence(subscription, now);
  if (!isSoldAgain(subscription, now, seller)) return sentence;
  if (isLengthenedBy(subscription, seller))
    return `${sentence} The period that you pay for now begins when this one ends.`;
  return `${sentence} ${overlapSentence(subscription)}`;
}

function stateOf(state: StateKind, isPaymentPending: boolean): State {
  switch (state) {
    case "unbegun":
      return isPaymentPending ? "paymentPending" : "unbegun";
    case "grace":
    case "overdue":
      return isPaymentPending ? "paymentPending" : "overdue";
    case "unrenewed":
      return isPaymentPending ? "paymentPending" : "unrenewed";
    case "paused":
      return "paused";
    default:
      // While a bank transfer for the renewal is on its way, the subscription stays active for a while.
      return "open";
  }
}
