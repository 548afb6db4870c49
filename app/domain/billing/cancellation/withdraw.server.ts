import { and, eq } from "drizzle-orm";
import { formatDate, formatMinute } from "#app/dates.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { withdrawals } from "#db/schema/cancellations.ts";
import { subscriptions } from "#db/schema/subscriptions.ts";
import { sendMail } from "../mails/send-once.server.ts";
import { withdrawalMail } from "../mails/templates/lifecycle-mails.tsx";
import { findMailFacts } from "../mails/templates/mail-facts.server.ts";
import { formatPrice } from "../rules/format-money.ts";
import { isWithdrawable, REFUND_DAYS, withdrawalEnd } from "../rules/withdrawal-period.ts";
import {
  findOwn,
  isRetried,
  type OwnSubscription,
  selectOwn,
} from "../subscriptions/own-subscription.server.ts";
import { type CancellationOutcome, changeSubscription } from "./change-subscription.server.ts";

export type WithdrawalView = NonNullable<Awaited<ReturnType<typeof findWithdrawal>>>;
type WithdrawalState = { kind: "received"; at: string } | { kind: "possible" | "late" };

export async function findWithdrawal(own: OwnSubscription) {
  const found = await findOwn(own);
  if (found === null) return null;
  const { planName, price, created, now } = found;
  const [received] = await db.select().from(withdrawals).where(eq(withdrawals.subscriptionId, own.id));
  const state: WithdrawalState = received
    ? { kind: "received", at: formatMinute(received.receivedAt) }
    : { kind: isWithdrawable(created, now) ? "possible" : "late" };
  return {
    planName,
    price: formatPrice(price, found),
    begunOn: formatDate(created),
    lastDay: withdrawalEnd(created),
    refundDays: REFUND_DAYS,
    state,
  };
}

/** A withdrawal is valid even if the provider does not answer, so a job ends the subscription there. "late": after the last day. */
export async function declareWithdrawal(own: OwnSubscription): Promise<"received" | "late"> {
  const kind = (await findWithdrawal(own))?.state.kind ?? "late";
  if (kind !== "possible") return kind;
  return db.transaction(async (tx): Promise<"received"> => {
    const declared = { subscriptionId: own.id, userId: own.userId };
    const [first] = await tx.insert(withdrawals).values(declared).onConflictDoNothing().returning();
    if (first === undefined) return "received";
    const facts = await findMailFacts(tx, own.id);
    if (facts !== null) await sendMail(tx, withdrawalMail(facts, first.receivedAt));
    await enqueue("end-withdrawn", own, tx);
    return "received";
  });
}

export async function endWithdrawn(own: OwnSubscription): Promise<CancellationOutcome> {
  const outcome = await changeSubscription(own, "withdraw");
  if (outcome === "unreachable")
    throw new Error("The provider has not confirmed the end of a withdrawn subscription");
  return outcome;
}

export async function retryWithdrawals(): Promise<void> {
  const unfinished = await selectOwn()
    .innerJoin(withdrawals, eq(withdrawals.subscriptionId, subscriptions.id))
    // A prepaid one is ended without a provider, and may have been paid again since.
    .where(and(isRetried(withdrawals.receivedAt), eq(subscriptions.isPrepaid, false)));
  for (const own of unfinished) await enqueue("end-withdrawn", own);
}
