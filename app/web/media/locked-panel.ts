import type { Access, Decision } from "#app/domain/access/access.ts";
import { type NextStep, nextStep, SEE_PLANS } from "#app/domain/billing/rules/next-step.ts";
import { subscriptionSentence } from "#app/domain/billing/rules/subscription-sentence.ts";
import type { Viewer } from "#app/domain/viewer/find-viewer.server.ts";
import { paths } from "#app/paths.ts";

interface LockedPanelText {
  sentence: string;
  next: NextStep;
  /** Where a visitor signs in who may already have a subscription. */
  signIn: string | null;
}

/** `here`: where the viewer comes back to. */
export function lockedPanel(
  decision: Decision,
  access: Access,
  { subscription, session }: Pick<Viewer, "subscription" | "session">,
  here: string,
): LockedPanelText | null {
  if (decision.allowed) return null;
  if (decision.reason === "signedOut" || session === null) {
    const next = { label: "Sign in / Sign Up", href: paths.signIn(here), isPosted: false };
    return access === "member"
      ? { sentence: "Sign in to see this. You do not need a subscription.", next, signIn: null }
      : {
          sentence: "You need a subscription for this.",
          next: { ...SEE_PLANS, href: paths.subscribe({ next: here }) },
          signIn: next.href,
        };
  }
  // Nobody with paid time left is refused, so it does not matter who sells the next period.
  const next = nextStep(subscription, session.now, null);
  return {
    sentence:
      subscription === null
        ? "You need a subscription for this."
        : subscriptionSentence(subscription, session.now),
    next: next.href === paths.subscribe() ? { ...next, href: paths.subscribe({ next: here }) } : next,
    signIn: null,
  };
}
