import type { Decision } from "#app/domain/billing/access.ts";
import { type NextStep, nextStep } from "#app/domain/billing/next-step.ts";
import { paths } from "#app/paths.ts";
import type { Viewer } from "./viewer.server.ts";

interface Teaser {
  /** Why it does not open, in one sentence. */
  sentence: string;
  next: NextStep;
}

/** What stands over the blurred cover. Null when the viewer may view. `here` is where a purchase leads back to. */
export function teaserOf(
  decision: Decision,
  access: string,
  { subscription }: Pick<Viewer, "subscription">,
  here: string,
): Teaser | null {
  if (decision.allowed) return null;
  if (decision.reason === "signedOut") {
    const next = { label: "Sign in / Sign Up", href: paths.signIn(here), isPosted: false };
    return access === "member"
      ? { sentence: "This opens for everyone who is signed in.", next }
      : { sentence: "This opens with a subscription. Sign in if you have one.", next };
  }
  const { sentence, next } = nextStep(subscription);
  return {
    sentence: subscription === null ? "This opens with a subscription." : sentence,
    next: next.href === paths.subscribe() ? { ...next, href: paths.subscribe({ next: here }) } : next,
  };
}
