import { COMMENT_LIMIT } from "../rules/cancellation-reasons.ts";
import { cancellationState, cancelRequestedAt, canKeep, isMoved } from "../rules/cancellation-state.ts";
import { formatPrice } from "../rules/format-money.ts";
import { keptChargeSentence, lastChargeSentence } from "../rules/next-charge-text.ts";
import { soldAgainText, subscriptionSentence } from "../rules/subscription-sentence.ts";
import { findOwn, type OwnSubscription } from "../subscriptions/own-subscription.server.ts";
import { findReasonState } from "./cancellation-reasons.server.ts";
import { closeRequest, type RequestedChange, recordRequest } from "./cancellation-requests.server.ts";
import { type CancellationOutcome, changeSubscription } from "./change-subscription.server.ts";

export type CancellationView = NonNullable<Awaited<ReturnType<typeof findCancellation>>>;

export async function findCancellation(own: OwnSubscription) {
  const found = await findOwn(own);
  if (found === null) return null;
  const { planName, price, now } = found;
  const cancellation = cancellationState(found, now);
  return {
    planName,
    price: formatPrice(price, found),
    cancellation,
    lastCharge: lastChargeSentence(found),
    canKeep: canKeep(found),
    /** From when on another one is sold, where this one goes on to a final end. */
    soldAgain: cancellation.kind === "ending" && !canKeep(found) ? soldAgainText(found, now) : null,
    /** Where the site has ended the renewal, the sentence that says so. */
    moved: isMoved(found) ? subscriptionSentence(found, now) : null,
    keptCharge: keptChargeSentence(found),
    requestedAt: cancelRequestedAt(found),
    reason: await findReasonState(found, cancellation),
    commentLimit: COMMENT_LIMIT,
  };
}

/** "cancel" takes effect at the end of the paid period, or at once when nothing is paid. Idempotent. */
export async function requestChange(
  own: OwnSubscription,
  change: RequestedChange,
): Promise<CancellationOutcome> {
  const recorded = await recordRequest(own, change);
  const outcome = await changeSubscription(own, change, recorded?.at);
  if (outcome === "unknownToProvider" && recorded) await closeRequest(own, recorded.at);
  return outcome === "unreachable" && recorded?.isOpen ? "recorded" : outcome;
}

/** Null without an open request. Throws when the provider does not answer. `isCharged`: a new period began before it was sent, so the host must refund it. */
export async function sendRequest(own: OwnSubscription) {
  const open = await findOwn(own);
  if (!open?.isRequestOpen || open.requestedChange === null) return null;
  const { requestedChange, requestedAt } = open;
  const outcome = await changeSubscription(own, requestedChange, requestedAt);
  if (outcome === "unreachable")
    throw new Error("The provider has not confirmed a request about a subscription");
  const after = await findOwn(own);
  const isBegunSince = after !== null && requestedAt !== null && after.currentPeriodStart > requestedAt;
  return { outcome, isCharged: requestedChange === "cancel" && isBegunSince };
}
