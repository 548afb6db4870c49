import { and, eq, not, notInArray, or, sql } from "drizzle-orm";
import { enqueue } from "#app/domain/jobs/enqueue.server.ts";
import { db } from "#db/client.server.ts";
import { prices, products, subscriptions, withdrawals } from "#db/schema/billing.ts";
import { change, type LeavingOutcome } from "./cancel.server.ts";
import { dayWords, minuteWords } from "./day-words.ts";
import { type Held, isRowOf } from "./held.server.ts";
import { withdrawalMail } from "./letters/end-mails.tsx";
import { priceWords } from "./money-words.ts";
import { findNoticeFacts } from "./notice-facts.server.ts";
import { ENDED_STATUSES } from "./owner.server.ts";
import { WITHDRAWAL_DAYS, withdrawalEnd } from "./withdrawal-days.ts";
import { sendNotice } from "./write-notice.server.ts";

/** From the moment on which the contract was made, by the database's clock. */
const IS_IN_TIME = sql<boolean>`now() <= ${subscriptions.created} + ${WITHDRAWAL_DAYS} * interval '1 day'`;

export interface WithdrawalView {
  planName: string;
  price: string;
  /** "21 November 2026" */
  begunOn: string;
  lastDay: string;
  /** "received": with the moment, "21 November 2026, 14:05 UTC". */
  standing: { kind: "possible" } | { kind: "late" } | { kind: "received"; at: string };
}

/** What may be shown to whoever may withdraw from a contract; null when it is not theirs. */
export async function findWithdrawal(held: Held): Promise<WithdrawalView | null> {
  const [found] = await db
    .select({
      created: subscriptions.created,
      price: prices,
      planName: products.name,
      receivedAt: withdrawals.receivedAt,
      isInTime: IS_IN_TIME,
    })
    .from(subscriptions)
    .innerJoin(prices, eq(prices.id, subscriptions.priceId))
    .innerJoin(products, eq(products.id, prices.productId))
    .leftJoin(withdrawals, eq(withdrawals.subscriptionId, subscriptions.id))
    .where(isRowOf(held));
  if (found === undefined) return null;
  const { created, price, planName, receivedAt, isInTime } = found;
  const standing = receivedAt
    ? ({ kind: "received", at: minuteWords(receivedAt) } as const)
    : ({ kind: isInTime ? "possible" : "late" } as const);
  return {
    planName,
    price: priceWords(price),
    begunOn: dayWords(created),
    lastDay: withdrawalEnd(created),
    standing,
  };
}

/**
 * Takes a withdrawal in, with its receipt by mail, and leaves it to a job to end the subscription: who withdraws has done so,
 * whether the provider answers or not. As often as anybody likes. "late" after the last day.
 */
export async function declareWithdrawal(held: Held): Promise<"received" | "late"> {
  return db.transaction(
    async (tx) => {
      const declared = await tx.execute<{ received_at: string }>(sql`
        INSERT INTO withdrawals (subscription_id, user_id)
        SELECT ${subscriptions.id}, ${subscriptions.userId} FROM ${subscriptions} WHERE ${isRowOf(held)} AND ${IS_IN_TIME}
        ON CONFLICT DO NOTHING RETURNING to_json(received_at) #>> '{}' AS received_at`);
      const [first] = declared;
      if (first === undefined) {
        const known = eq(withdrawals.subscriptionId, held.id);
        return (await tx.$count(withdrawals, known)) > 0 ? "received" : "late";
      }
      const facts = await findNoticeFacts(tx, held.id);
      if (facts !== null) {
        const at = minuteWords(new Date(first.received_at));
        await sendNotice(tx, await withdrawalMail(facts.letter, { at, terms: facts.terms }));
      }
      await enqueue("end-withdrawn", held, tx);
      return "received";
    },
    { accessMode: "read write" },
  );
}

/**
 * Ends at once what somebody has withdrawn from. Throws when the provider does not confirm it: the job is tried again.
 * What it does not know ("elsewhere") is asked for anew each hour.
 */
export async function endWithdrawn(held: Held): Promise<LeavingOutcome> {
  const outcome = await change("withdraw", held, (provider) => provider.endNow(held.id));
  if (outcome === "away")
    throw new Error("The provider has not confirmed the end of a withdrawn subscription");
  return outcome;
}

/**
 * Queues anew what was withdrawn from and has not ended, whatever became of its job. One that was sold elsewhere for thirty
 * days, and again when the provider knows it.
 */
export async function retryWithdrawals(): Promise<void> {
  const isUnknown = sql`${subscriptions.unknownSince} IS NOT NULL`;
  const isRecent = sql`${withdrawals.receivedAt} > now() - interval '30 days'`;
  const unfinished = await db
    .select({ id: subscriptions.id, userId: subscriptions.userId })
    .from(withdrawals)
    .innerJoin(subscriptions, eq(subscriptions.id, withdrawals.subscriptionId))
    .where(and(notInArray(subscriptions.status, ENDED_STATUSES), or(not(isUnknown), isRecent)));
  for (const held of unfinished) await enqueue("end-withdrawn", held);
}
