import { findCancellation } from "#app/domain/billing/cancellation/cancel.server.ts";
import { saveReason } from "#app/domain/billing/cancellation/cancellation-reasons.server.ts";
import { reasonForm } from "#app/domain/billing/rules/cancellation-reasons.ts";
import type { OwnSubscription } from "#app/domain/billing/subscriptions/own-subscription.server.ts";
import { field, readIntent } from "./form-body.server.ts";

export interface RefusedReason {
  error: string;
  reason: string;
  comment: string;
}

export function isReason(form: FormData): boolean {
  return readIntent(form, ["reason"]) !== null;
}

/** Null also when nothing was stored: the subscription is not canceled, or it has a reason already. */
export async function receiveReason(own: OwnSubscription, form: FormData): Promise<RefusedReason | null> {
  const reason = field(form, "reason");
  const comment = field(form, "comment").replaceAll("\r\n", "\n");
  const parsed = reasonForm.safeParse({ reason: reason || null, comment });
  if (!parsed.success) return { error: parsed.error.issues[0]?.message ?? "", reason, comment };
  if ((await findCancellation(own))?.reason === "offered") await saveReason(own, parsed.data);
  return null;
}
