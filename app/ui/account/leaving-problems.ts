import type { LeavingOutcome } from "#app/domain/billing/cancel.server.ts";

const ELSEWHERE =
  "This subscription was sold through a payment provider that this site no longer uses, so it cannot be changed here. Please write to the operator of this site.";

/** Why a subscription was not cancelled, or not kept, and what to do; undefined when it was. */
export function leavingProblem(intent: "cancel" | "keep", outcome: LeavingOutcome | undefined) {
  if (outcome === "elsewhere") return ELSEWHERE;
  if (outcome === "away") {
    return `The payment provider does not answer, so your subscription is ${
      intent === "cancel" ? "not cancelled yet" : "still cancelled"
    }. Please try again in a minute; pressing twice does no harm.`;
  }
  return undefined;
}
