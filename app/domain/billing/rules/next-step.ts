import { subscriptionState } from "#app/domain/access/subscription-state.ts";
import { paths } from "#app/paths.ts";
import { capabilitiesOf } from "../providers/contract/capabilities.ts";
import { isLengthenedBy, isSoldAgain, type Seller } from "./blocks-purchase.ts";
import { cancelRequestedAt, canKeep } from "./cancellation-state.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

export interface NextStep {
  label: string;
  href: string;
  isPosted: boolean;
}

export function nextStep(subscription: SubscriptionFacts | null, now: Date, seller: Seller): NextStep {
  if (subscription === null) return SEE_PLANS;
  const isCancelRequested = cancelRequestedAt(subscription) !== null;
  switch (subscriptionState(subscription, now)) {
    case "running":
    case "uncollected":
    case "renewing":
      return isCancelRequested ? keepStep(subscription, now, seller) : WATCH;
    case "cardless":
      return isCancelRequested ? keepStep(subscription, now, seller) : toPortal("Add a payment method");
    case "unrenewed":
      // This link syncs the renewal with the provider.
      return isCancelRequested ? keepStep(subscription, now, seller) : toPortal("Check again");
    case "ending":
      return keepStep(subscription, now, seller);
    case "prepaid":
      if (!isSoldAgain(subscription, now, seller)) return WATCH;
      return isLengthenedBy(subscription, seller) ? NEXT_PERIOD : SUBSCRIBE_AGAIN;
    case "grace":
    case "overdue":
      return payStep(subscription, "Fix payment");
    case "unbegun":
      return payStep(subscription, "Complete the payment");
    case "paused":
      return link("Resume your subscription", ACCOUNT);
    case "expired":
      return link("Choose a plan", paths.subscribe());
    case "unknown":
    case "unknownEnded":
    case "ended":
      return SUBSCRIBE_AGAIN;
  }
}

export const SEE_PLANS = link("See the plans", paths.subscribe());
const ACCOUNT = paths.subscription();
const KEEP = link("Keep your subscription", ACCOUNT);
const WATCH = link("Watch something", paths.list("video"));
const NEXT_PERIOD = link("Pay for the next period", paths.subscribe());
const SUBSCRIBE_AGAIN = link("Subscribe again", paths.subscribe());

function keepStep(subscription: SubscriptionFacts, now: Date, seller: Seller): NextStep {
  if (canKeep(subscription)) return KEEP;
  return isSoldAgain(subscription, now, seller) ? SUBSCRIBE_AGAIN : WATCH;
}

/** Paying again while the money is on its way would pay twice. */
function payStep({ isPaymentPending, provider }: SubscriptionFacts, label: string): NextStep {
  if (isPaymentPending) return link("See what is free", paths.list("video", { access: "free" }));
  if (capabilitiesOf(provider).portal !== null) return toPortal(label);
  // Only another subscription can be paid with another card.
  return link("Pay with another card", paths.accountAction("subscription"));
}

function toPortal(label: string): NextStep {
  return { label, href: paths.portal(), isPosted: true };
}

function link(label: string, href: string): NextStep {
  return { label, href, isPosted: false };
}
