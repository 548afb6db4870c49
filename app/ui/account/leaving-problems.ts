import type { LeavingOutcome } from "#app/domain/billing/cancel.server.ts";

export const ELSEWHERE =
  "This subscription was sold through a payment account that this site no longer uses, so it cannot be changed here. Please write to the operator of this site.";

const NOT_DONE = { cancel: "not cancelled yet", keep: "still cancelled", resume: "still paused" };

/** Why a subscription was not cancelled, or not kept, and what to do; undefined when it was. */
export function leavingProblem(intent: keyof typeof NOT_DONE, outcome: LeavingOutcome | undefined) {
  if (outcome === "elsewhere") return ELSEWHERE;
  if (outcome === "away") {
    return `The payment provider does not answer, so your subscription is ${NOT_DONE[intent]}. Please try again in a minute; pressing twice does no harm.`;
  }
  return undefined;
}
