import { addDays } from "#app/dates.ts";
import { type AccessViewer, accessTo } from "#app/domain/access/access.ts";
import type { StateKind } from "#app/domain/access/subscription-state.ts";
import { hasRight } from "#app/domain/staff/rights.ts";
import type { PaymentMethod } from "#db/schema/auth.ts";
import { capabilitiesOf, DEMO_PROVIDER } from "../providers/contract/capabilities.ts";
import { sellerName } from "../providers/providers.server.ts";
import { canCancel, cancellationState, cancelRequestedAt, canKeep } from "../rules/cancellation-state.ts";
import { formatPrice } from "../rules/format-money.ts";
import { keptChargeSentence, nextChargeText } from "../rules/next-charge-text.ts";
import { nextStep } from "../rules/next-step.ts";
import { type SubscriptionFacts, subscriptionSentence } from "../rules/subscription-sentence.ts";
import { isWithdrawable, WITHDRAWAL_DAYS } from "../rules/withdrawal-period.ts";
import type { CurrentSubscription } from "../subscriptions/current-subscription.server.ts";
import { statementText } from "../subscriptions/statement-text.server.ts";
import { findOwnPayments } from "./own-invoices.server.ts";
import { portalProvider } from "./portal.server.ts";

export type AccountSubscription = Awaited<ReturnType<typeof accountSubscription>>;

const SOON_DAYS = 60;
const FOR_SUBSCRIBERS = {
  access: "subscriber",
  allowDownload: false,
  isLive: true,
  isTakenDown: false,
} as const;

export async function accountSubscription(
  member: AccessViewer & {
    user: { id: string };
    subscription: CurrentSubscription | null;
    session: { now: Date };
  },
) {
  const { subscription, user } = member;
  const { now } = member.session;
  const { invoices, isCustomer, owed, others, purchase, isWithdrawn } = await findOwnPayments({
    userId: user.id,
    subscriptionId: subscription?.id ?? null,
    provider: portalProvider(subscription),
  });
  const cancellation = subscription && cancellationState(subscription, now);
  const isRecent = subscription !== null && isWithdrawable(subscription.created, now);
  return {
    sentence: accessSentence(member, now),
    next: nextStep(subscription, now, sellerName()),
    cancellation,
    canCancel: subscription !== null && canCancel(subscription),
    keptCharge: subscription && keptChargeSentence(subscription),
    withdrawalDays: isRecent && !isWithdrawn ? WITHDRAWAL_DAYS : null,
    canKeep: subscription !== null && canKeep(subscription),
    isPaused: subscription?.state === "paused" && capabilitiesOf(subscription.provider).can.resume,
    biller: subscription && capabilitiesOf(subscription.provider).help,
    statement: subscription && statementText(subscription),
    others,
    purchase,
    plan: subscription && {
      name: subscription.price.product.name,
      price: formatPrice(subscription.price, subscription),
      nextCharge: nextChargeOf(subscription, owed, now),
    },
    hasPortal: isCustomer,
    invoices,
  };
}

function nextChargeOf(subscription: CurrentSubscription, owed: number | null, now: Date): string | null {
  if (subscription.provider === DEMO_PROVIDER) return null;
  if (cancelRequestedAt(subscription) !== null) return "None, once your cancellation is sent";
  return nextChargeText(subscription, owed, now);
}

export function accessSentence(
  viewer: AccessViewer & { subscription: (SubscriptionFacts & { state: StateKind }) | null },
  now: Date,
): string {
  if (hasRight(viewer, "media.seeAll")) {
    return "You have access to everything, because you work here.";
  }
  const { allowed } = accessTo(viewer, FOR_SUBSCRIBERS, "view");
  const verdict = allowed
    ? "You have access to everything"
    : "You have no access to videos and photos for subscribers";
  if (viewer.subscription === null) return `${verdict}, because you have no subscription.`;
  return `${verdict}. ${subscriptionSentence(viewer.subscription, now)}`;
}

/** A card is valid to the end of its month. */
export function cardExpiry(
  { expMonth, expYear }: Pick<PaymentMethod, "expMonth" | "expYear">,
  now: Date,
): "expired" | "soon" | "later" {
  if (expYear === null || expMonth === null) return "later";
  const end = new Date(Date.UTC(expYear, expMonth));
  if (end <= now) return "expired";
  return end <= addDays(now, SOON_DAYS) ? "soon" : "later";
}
