import { eq, sql } from "drizzle-orm";
import { formatDate, formatMinute } from "#app/dates.ts";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { subscriptions, withdrawals } from "#db/schema/billing.ts";
import { sendMail } from "../mails/send-once.server.ts";
import { withdrawalMail } from "../mails/templates/lifecycle-mails.tsx";
import { findMailFacts } from "../mails/templates/mail-facts.server.ts";
import { isWithdrawable, WITHDRAWAL_DAYS, withdrawalEnd } from "../rules/withdrawal-days.ts";
import {
  findOwn,
  isRetried,
  isRowOf,
  type OwnSubscription,
  selectOwn,
} from "../subscriptions/own-subscription.server.ts";
import { type CancellationOutcome, changeSubscription } from "./change-subscription.server.ts";

/** Counted from the start of the contract, by the database's clock. */
const IS_IN_TIME = sql`now() <= ${subscriptions.created} + ${WITHDRAWAL_DAYS} * interval '1 day'`;

export type WithdrawalView = NonNullable<Awaited<ReturnType<typeof findWithdrawal>>>;

export async function findWithdrawal(own: OwnSubscription) {
  const found = await findOwn(own);
  if (found === null) return null;
  const { planName, price, created, now } = found;
  const [received] = await db.select().from(withdrawals).where(eq(withdrawals.subscriptionId, own.id));
  return {
    planName,
    price,
    begunOn: formatDate(created),
    lastDay: withdrawalEnd(created),
    state: received
      ? ({ kind: "received", at: formatMinute(received.receivedAt) } as const)
      : ({ kind: isWithdrawable(created, now) ? "possible" : "late" } as const),
  };
}

/** A withdrawal is valid even if the provider does not answer, so a job ends it there. "late": after the last day. */
export async function declareWithdrawal(own: OwnSubscription): Promise<"received" | "late"> {
  return db.transaction(async (tx) => {
    const declared = await tx.execute<{ received_at: string }>(sql`
        INSERT INTO withdrawals (subscription_id, user_id)
        SELECT ${subscriptions.id}, ${subscriptions.userId} FROM ${subscriptions} WHERE ${isRowOf(own)} AND ${IS_IN_TIME}
        ON CONFLICT DO NOTHING RETURNING to_json(received_at) #>> '{}' AS received_at`);
    const [first] = declared;
    if (first === undefined) {
      const known = eq(withdrawals.subscriptionId, own.id);
      return (await tx.$count(withdrawals, known)) > 0 ? "received" : "late";
    }
    const facts = await findMailFacts(tx, own.id);
    if (facts !== null) await sendMail(tx, withdrawalMail(facts, new Date(first.received_at)));
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

/** For lost jobs. */
export async function retryWithdrawals(): Promise<void> {
  const unfinished = await selectOwn()
    .innerJoin(withdrawals, eq(withdrawals.subscriptionId, subscriptions.id))
    .where(isRetried(withdrawals.receivedAt));
  for (const own of unfinished) await enqueue("end-withdrawn", own);
}
