import { paths } from "#app/paths.ts";
import { cancelRequestedAt } from "./cancellation-state.ts";
import type { SubscriptionFacts } from "./subscription-sentence.ts";

export interface NextStep {
  label: string;
  href: string;
  /** The link needs a POST, since it opens the provider's page. */
  isPosted: boolean;
}

export function nextStep(subscription: SubscriptionFacts | null, now: Date): NextStep {
  if (subscription === null) return link("See the subscription", paths.subscribe());
  const { status, cancelAtPeriodEnd, currentPeriodEnd, isCurrent, isPaymentPending, unknownSince } =
    subscription;
  if (unknownSince) return link("Subscribe again", paths.subscribe());
  // Paying again would pay twice. An active subscription asks for no payment.
  if (isPaymentPending && status !== "active")
    return link("See what is free", paths.list("video", { access: "free" }));
  switch (status) {
    case "trialing":
    case "active":
      if (cancelAtPeriodEnd && currentPeriodEnd <= now) return link("Subscribe again", paths.subscribe());
      if (cancelAtPeriodEnd || cancelRequestedAt(subscription) !== null)
        return link("Keep your subscription", ACCOUNT);
      if (isCurrent) return link("Watch something", paths.list("video"));
      // This link syncs the renewal with the provider.
      return { label: "Look again", href: paths.portal(), isPosted: true };
    case "past_due":
    case "unpaid":
      return { label: "Fix payment", href: paths.portal(), isPosted: true };
    case "incomplete":
      return { label: "Finish the payment", href: paths.portal(), isPosted: true };
    case "paused":
      return link("Resume your subscription", ACCOUNT);
    case "incomplete_expired":
      return link("Choose a plan", paths.subscribe());
    case "canceled":
      return link("Subscribe again", paths.subscribe());
  }
}

const ACCOUNT = `${paths.account()}#subscription`;

function link(label: string, href: string): NextStep {
  return { label, href, isPosted: false };
}
