import { subscriptionState } from "#app/domain/access/subscription-state.ts";
import { paths } from "#app/paths.ts";
import { cancelRequestedAt } from "./cancellation-state.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

export interface NextStep {
  label: string;
  href: string;
  isPosted: boolean;
}

export function nextStep(subscription: SubscriptionFacts | null, now: Date): NextStep {
  if (subscription === null) return SEE_PLANS;
  const isCancelRequested = cancelRequestedAt(subscription) !== null;
  switch (subscriptionState(subscription, now)) {
    case "running":
    case "uncollected":
    case "renewing":
      return isCancelRequested ? KEEP : link("Watch something", paths.list("video"));
    case "cardless":
      return isCancelRequested ? KEEP : toPortal("Add a payment method");
    case "unrenewed":
      // This link syncs the renewal with the provider.
      return isCancelRequested ? KEEP : toPortal("Check again");
    case "ending":
      return KEEP;
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
      return link("Subscribe again", paths.subscribe());
  }
}

export const SEE_PLANS = link("See the plans", paths.subscribe());
const ACCOUNT = paths.subscription();
const KEEP = link("Keep your subscription", ACCOUNT);

/** Paying again while the money is on its way would pay twice. */
function payStep({ isPaymentPending }: SubscriptionFacts, label: string): NextStep {
  return isPaymentPending
    ? link("See what is free", paths.list("video", { access: "free" }))
    : toPortal(label);
}

function toPortal(label: string): NextStep {
  return { label, href: paths.portal(), isPosted: true };
}

function link(label: string, href: string): NextStep {
  return { label, href, isPosted: false };
}
