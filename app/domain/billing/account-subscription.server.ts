import type { PaymentMethod } from "#db/schema/auth.ts";
import type { AccessViewer } from "./access.ts";
import { accessSentence } from "./access-sentence.ts";
import { cardExpiry } from "./card-expiry.ts";
import type { CurrentSubscription } from "./current-subscription.server.ts";
import { dayWords } from "./day-words.ts";
import { listInvoices } from "./invoice-list.server.ts";
import { type Leaving, leavingOf } from "./leaving.ts";
import { moneyWords, priceWords } from "./money-words.ts";
import { nextStep } from "./next-step.ts";
import { listOthers } from "./other-subscriptions.server.ts";
import { currentProvider } from "./providers/current-provider.server.ts";

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
    isPaused: subscription?.status === "paused",
    /** What they are charged for besides. */
    others: subscription === null ? [] : await listOthers(user.id, subscription.id),
    plan: subscription && {
      name: subscription.price.product.name,
      price: priceWords(subscription.price),
      nextCharge: nextChargeOf(subscription, leaving),
    },
    /** Whether the provider has a page where the plan and the card are changed. */
    hasPortal: subscription !== null && subscription.provider === currentProvider()?.name,
    cardExpiry: card && cardExpiry(card),
    invoices: await listInvoices(user.id),
  };
}

/** Null when nothing is going to be charged. */
function nextChargeOf(
  { price, status, currentPeriodEnd }: CurrentSubscription,
  leaving: Leaving | null,
): string | null {
  const sum = moneyWords(price.unitAmount, price.currency);
  if (status === "past_due" || status === "unpaid") return `${sum}, due now`;
  return leaving?.kind === "atPeriodEnd" ? `${sum} on ${dayWords(currentPeriodEnd)}` : null;
}
