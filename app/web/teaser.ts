import type { Decision } from "#app/domain/billing/access.ts";
import { paths } from "#app/paths.ts";

interface Teaser {
  /** Why it does not open, in one sentence. */
  sentence: string;
  button: { label: string; to: string };
}

/** What stands over the blurred cover. Null when the viewer may view. */
export function teaserOf(decision: Decision, access: string, here: string): Teaser | null {
  if (decision.allowed) return null;
  const offer = { label: "See the subscription", to: paths.subscribe() };
  if (decision.reason === "signedOut") {
    const signIn = { label: "Sign in / Sign Up", to: paths.signIn(here) };
    return access === "member"
      ? { sentence: "This opens for everyone who is signed in.", button: signIn }
      : { sentence: "This opens with a subscription. Sign in if you have one.", button: signIn };
  }
  if (decision.reason === "paymentFailed") {
    return { sentence: "Your last payment did not go through, so this is closed for now.", button: offer };
  }
  return { sentence: "This opens with a subscription.", button: offer };
}
