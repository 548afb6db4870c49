import type { PaymentMethod } from "#db/schema/auth.ts";
import type { AccessViewer } from "./access.ts";
import { accessSentence } from "./access-sentence.ts";
import { cardExpiry } from "./card-expiry.ts";
import { nextChargeWords } from "./charge-words.ts";
import type { CurrentSubscription } from "./current-subscription.server.ts";
import { GIVEN } from "./given.server.ts";
import { listInvoices } from "./invoice-list.server.ts";
import { cancelAskedAt, leavingOf } from "./leaving.ts";
import { priceWords } from "./money-words.ts";
import { nextStep } from "./next-step.ts";
import { listOthers } from "./other-subscriptions.server.ts";
import { findOwed } from "./owed.server.ts";
import { hasPortal } from "./portal.server.ts";
import { isWithdrawable } from "./withdrawal-days.ts";

export type AccountSubscription = Awaited<ReturnType<typeof accountSubscription>>;

/** All that the account says of a member's subscription and of what they have paid. */
export async function accountSubscription(
  member: AccessViewer & { user: { id: string }; subscription: CurrentSubscription | null },
  card: PaymentMethod | null,
) {
  const { subscription, user } = member;
  const leaving = subscription && leavingOf(subscription);
  return {
    /** Why they have access, or have not. */
    sentence: accessSentence(member),
    next: nextStep(subscription).next,
    leaving,
    /** Since when it is to be cancelled, which the provider does not know yet. */
    askedAt: subscription && cancelAskedAt(subscription),
    /** Whether the days are not over in which the contract can be withdrawn from. */
    canWithdraw: subscription !== null && isWithdrawable(subscription.created),
    isPaused: subscription?.status === "paused",
    /** What they are charged for besides. */
    others: subscription === null ? [] : await listOthers(user.id, subscription.id),
    plan: subscription && {
      name: subscription.price.product.name,
      price: priceWords(subscription.price),
      nextCharge: await nextChargeOf(subscription),
    },
    /** Whether the provider has a page where the plan and the card are changed. */
    hasPortal: await hasPortal(subscription),
    cardExpiry: card && cardExpiry(card),
    invoices: await listInvoices(user.id),
  };
}

/** Null when nothing is going to be charged. */
async function nextChargeOf(subscription: CurrentSubscription): Promise<string | null> {
  if (subscription.provider === GIVEN) return null;
  if (cancelAskedAt(subscription) !== null) return "None, once your cancellation is passed on";
  return nextChargeWords(subscription, await findOwed(subscription.id));
}
