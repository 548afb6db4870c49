import { z } from "zod";
import { ENDED_STATUSES } from "#app/domain/access/subscription-state.ts";
import { db } from "#db/client.server.ts";
import { readDatabaseTime } from "#db/clock.server.ts";
import { number, readRow, timestamp } from "#db/rows.ts";
import { type Fact, ourId, theirId } from "../contract/facts.ts";
import {
  type BillingProvider,
  ProviderUnreachable,
  type SubscriptionSnapshot,
} from "../contract/provider.ts";
import { storeFacts } from "../facts/stored-facts.server.ts";
import { daysLater, endOfNamedDay } from "./arizona-time.ts";
import type { DataLink, SubscriptionState } from "./data-link.server.ts";
import { saleFactId } from "./event-facts.ts";
import { CCBILL } from "./settings.ts";

/** For so long a buyer waits for the answer about a sale. Then it counts, and is asked about until there is an answer. */
const WAITS_SECONDS = 60;
/** A new subscription may be unknown at first. */
const IS_KNOWN_AFTER_SECONDS = 900;
/** CCBill's answer may be older than our own cancellation. */
const SETTLES_MS = 3_600_000;

export type Probe = ReturnType<typeof ccbillProbe>;

export function ccbillProbe(
  dataLink: DataLink,
  readSubscription: (id: string) => Promise<SubscriptionSnapshot | null>,
) {
  /** Because nothing is signed, CCBill itself must know what was sold: decision 219. True when a fact was stored. */
  const confirmSale = async (id: string): Promise<boolean> => {
    const sale = await findUnconfirmed(id);
    if (sale === null) return false;
    const { age } = sale;
    const status = await dataLink.readStatus(theirId(CCBILL, id)).catch((error: unknown) => {
      if (!(error instanceof ProviderUnreachable) || age < WAITS_SECONDS) throw error;
      return "unanswered" as const;
    });
    if (status === "unanswered") return false;
    if (status === null && age < WAITS_SECONDS)
      throw new ProviderUnreachable("CCBill does not know a new subscription yet.");
    if (status === null && age < IS_KNOWN_AFTER_SECONDS) return false;
    const now = await readDatabaseTime();
    const said: Fact = status === null ? { kind: "closed", subscriptionId: id } : probed(id, status);
    // That it renews was true of the sale. What has ended it since is a later fact.
    await store(id, said, { name: "sale", at: status?.state === "renewing" ? sale.at : now });
    return true;
  };
  const probe = async (id: string): Promise<boolean> => {
    if ((await findUnconfirmed(id)) !== null) return confirmSale(id);
    const subscription = await readSubscription(id);
    if (subscription === null || ENDED_STATUSES.includes(subscription.status)) return false;
    const status = await dataLink.readStatus(theirId(CCBILL, id));
    const now = await readDatabaseTime();
    if (status === null || !disagrees(subscription, status, now)) return false;
    await store(id, probed(id, status), { name: now.toISOString(), at: now });
    return true;
  };
  /** CCBill's answers name no amount, so the terms are those of the purchase; nor a transaction, of which the first may have the subscription's own number. */
  const adopt: BillingProvider["adopt"] = async ({ subscriptionId: id, checkoutId, terms, at }) => {
    if (!/^\d{1,20}$/.test(theirId(CCBILL, id))) return false;
    const status = await dataLink.readStatus(theirId(CCBILL, id));
    if (status === null) return false;
    const { currency, first } = terms;
    const paidUntil = status.paidUntil ?? endOfNamedDay(daysLater(at, first.intervalCount));
    const paid = { amount: first.amount, currency };
    const sold = { subscriptionId: id, transactionId: id, checkoutId, paid, terms, paidUntil, method: null };
    await storeFacts(CCBILL, [{ kind: "sale", ...sold, id: saleFactId(id), at }]);
    await store(id, probed(id, status), { name: "sale", at });
    return true;
  };
  return { confirmSale, probe, adopt };
}

/** Other than in what is paid: an earlier end is a day that was moved, of which an event tells. */
function disagrees(
  { cancelAtPeriodEnd, canceledAt, currentPeriodEnd, status }: SubscriptionSnapshot,
  { state, paidUntil }: SubscriptionState,
  now: Date,
): boolean {
  if (state === "over") return !cancelAtPeriodEnd || currentPeriodEnd <= now;
  if (state === "ending") return !cancelAtPeriodEnd;
  const isSettled = canceledAt === null || now.getTime() - canceledAt.getTime() > SETTLES_MS;
  const isPaidLonger = paidUntil !== null && paidUntil > currentPeriodEnd;
  return (cancelAtPeriodEnd && isSettled) || (isPaidLonger && status !== "past_due");
}

function probed(subscriptionId: string, { state, paidUntil }: SubscriptionState): Fact {
  return { kind: "probed", subscriptionId, state, paidUntil };
}

async function store(id: string, fact: Fact, { name, at }: { name: string; at: Date }): Promise<void> {
  const factId = ourId(CCBILL, `${fact.kind}:${theirId(CCBILL, id)}:${name}`);
  await storeFacts(CCBILL, [{ ...fact, id: factId, at }]);
}

/** `age`: seconds since its event. Null for a sale about which CCBill has answered. */
function findUnconfirmed(id: string): Promise<{ age: number; at: Date } | null> {
  return readRow(db, z.object({ age: number, at: timestamp }))`
    SELECT extract(epoch FROM now() - received_at)::float8 AS age, at FROM billing_facts sale
    WHERE id = ${saleFactId(id)} AND provider = ${CCBILL} AND NOT EXISTS (
      SELECT FROM billing_facts WHERE provider = ${CCBILL} AND subscription_id = sale.subscription_id
        AND fact ->> 'kind' IN ('probed', 'closed'))`;
}
