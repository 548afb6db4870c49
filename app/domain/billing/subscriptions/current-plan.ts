import { OVERDUE_STATUSES } from "#app/domain/access/subscription-status.ts";
import { cancelRequestedAt } from "../rules/cancellation-state.ts";
import { formatPrice } from "../rules/format.ts";
import { nextStep } from "../rules/next-step.ts";
import { blocksPurchase } from "../rules/purchase-rule.ts";
import { subscriptionSentence } from "../rules/subscription-sentence.ts";
import type { CurrentSubscription } from "./current-subscription.server.ts";

export type CurrentPlan = NonNullable<ReturnType<typeof currentPlan>>;
type State = "open" | "unrenewed" | "overdue" | "unfinished" | "onItsWay" | "paused";

export function currentPlan(
  subscription: CurrentSubscription | null,
  { now, hasPortal }: { now: Date; hasPortal: boolean },
) {
  if (subscription === null || !blocksPurchase(subscription, now)) return null;
  const { price } = subscription;
  return {
    name: price.product.name,
    price: formatPrice(price),
    sentence: subscriptionSentence(subscription, now),
    next: nextStep(subscription, now),
    state: stateOf(subscription),
    canCancel: !subscription.cancelAtPeriodEnd && cancelRequestedAt(subscription) === null,
    hasPortal,
  };
}

function stateOf({ status, isCurrent, isPaymentPending }: CurrentSubscription): State {
  // An active one stays open for a while during a bank transfer for its renewal.
  if (isPaymentPending && !(status === "active" && isCurrent)) return "onItsWay";
  if (OVERDUE_STATUSES.includes(status)) return "overdue";
  if (status === "incomplete") return "unfinished";
  if (status === "paused") return "paused";
  return isCurrent ? "open" : "unrenewed";
}
