import { inArray, sql } from "drizzle-orm";
import { hasStaleBilling } from "#app/domain/auth/sign-in.server.ts";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/customers.ts";
import { type BillingProvider, ProviderUnreachable } from "../providers/contract/provider.ts";
import { providerOf, providers } from "../providers/providers.server.ts";
import { withTimeout } from "../providers/timeout.ts";
import { type Difference, isReported } from "../rules/sync-outcome.ts";
import { type Customer, isCustomer, listCustomers } from "../subscriptions/customers.server.ts";
import { fetchAndEnforce, listLapsed } from "./enforce-rules.server.ts";
import { fetchCustomer } from "./fetch-customer.server.ts";
import { listReversedSubscriptions } from "./refunds.server.ts";
import { fetchSubscriptions, type ProviderSnapshot, previewWrite } from "./snapshot.server.ts";
import { syncOffer } from "./write-offer.server.ts";
import { writeSnapshot } from "./write-snapshot.server.ts";
import { markOfFormerProviders } from "./write-subscription.server.ts";

const JOB_TIMEOUT_MS = 20_000;

/** With a timeout, because only a few jobs run at once. */
export async function refreshStaleCustomer(userId: string): Promise<Difference[] | null> {
  return (await hasStaleBilling(userId)) ? withTimeout(refreshCustomer(userId), JOB_TIMEOUT_MS) : null;
}

export async function refreshSubscription(name: string, id: string): Promise<Difference[] | null> {
  const provider = providerOf(name);
  if (provider === null) return null;
  const snapshot = await fetchAndEnforce(provider, () => fetchSubscriptions(provider, [id]));
  return db.transaction((tx) => writeSnapshot(tx, snapshot));
}

/** At all providers. Null when they bought nothing from any. Throws ProviderUnreachable. */
export async function refreshCustomer(
  userId: string,
  options?: RefreshOptions,
): Promise<Difference[] | null> {
  const differences: Difference[] = [];
  const known = (await listCustomers(userId)).filter(({ provider }) => providerOf(provider) !== null);
  for (const customer of known) differences.push(...(await refreshAt({ userId, ...customer }, options)));
  return known.length === 0 ? null : differences;
}

/** A dry run writes nothing anywhere. */
interface RefreshOptions {
  isDryRun: boolean;
}

async function refreshAt(
  { userId, ...customer }: Customer & { userId: string },
  { isDryRun }: RefreshOptions = { isDryRun: false },
): Promise<Difference[]> {
  const provider = providerOf(customer.provider);
  if (provider === null) return [];
  const fetch = () => fetchCustomer(provider, { userId, customerId: customer.customerId });
  if (isDryRun) return previewDifferences(provider, await fetch());
  const snapshot = await fetchAndEnforce(provider, fetch);
  return db.transaction(async (tx) => {
    const differences = await writeSnapshot(tx, snapshot);
    await tx.update(customers).set({ reconciledAt: sql`now()` }).where(isCustomer(customer));
    return differences;
  });
}

async function previewDifferences(
  provider: BillingProvider,
  snapshot: ProviderSnapshot,
): Promise<Difference[]> {
  const reversed = await listReversedSubscriptions(provider, snapshot);
  const due = reversed.map((id): Difference => ({ kind: "subscription", id, what: "due" }));
  const lapsed = await listLapsed(snapshot);
  due.push(...lapsed.map((id): Difference => ({ kind: "invoice", id, what: "due" })));
  return [...due, ...(await previewWrite((tx) => writeSnapshot(tx, snapshot)))];
}

const RECONCILE_WITHIN_MS = 3 * 3_600_000;
const AT_ONCE = 4;
/** After this many failures in a row, the rest is left to the next night. `own`: the answer could not be stored. */
const MAX_IN_A_ROW = { unreachable: 8, own: 50 };

export interface Reconciled {
  offer: Difference[];
  people: { userId: string; differences: Difference[] }[];
  failed: { userId: string; why: string; error: unknown }[];
  compared: number;
  /** People whose customer or subscription the provider does not know: the key may belong to another account. */
  unknown: number;
  left: number;
}

/** One failure does not stop the rest. Null without a provider; throws ProviderUnreachable if the offer cannot be read. */
export async function reconcileAll({ isDryRun }: { isDryRun: boolean }): Promise<Reconciled | null> {
  const endsAt = performance.now() + RECONCILE_WITHIN_MS;
  if (providers().size === 0) return null;
  const synced = await syncOffer({ isDryRun });
  if (!isDryRun) await markOfFormerProviders();
  const waiting = await listWaiting();
  const counts = { compared: 0, unknown: 0, left: 0 };
  const result: Reconciled = { offer: synced?.differences ?? [], people: [], failed: [], ...counts };
  let inARow = { unreachable: 0, own: 0 };
  const compareNext = async () => {
    for (let customer = waiting.shift(); customer !== undefined; customer = waiting.shift()) {
      const { userId } = customer;
      const isHopeless = inARow.unreachable >= MAX_IN_A_ROW.unreachable || inARow.own >= MAX_IN_A_ROW.own;
      if (isHopeless || performance.now() > endsAt) return void waiting.unshift(customer);
      try {
        const differences = (await refreshAt(customer, { isDryRun })).filter(isReported);
        if (differences.length > 0) result.people.push({ userId, differences });
        if (differences.some(({ what }) => what === "unknown")) result.unknown += 1;
        result.compared += 1;
        inARow = { unreachable: 0, own: 0 };
      } catch (error) {
        const isUnreachable = error instanceof ProviderUnreachable;
        inARow[isUnreachable ? "unreachable" : "own"] += 1;
        const why = isUnreachable ? error.message : "The provider's answer could not be stored.";
        result.failed.push({ userId, why, error: isUnreachable ? null : error });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, compareNext));
  return { ...result, left: waiting.length };
}

function listWaiting() {
  return db
    .select({
      userId: customers.userId,
      provider: customers.provider,
      customerId: customers.providerCustomerId,
    })
    .from(customers)
    .where(inArray(customers.provider, [...providers().keys()]))
    .orderBy(sql`${customers.reconciledAt} NULLS FIRST`);
}
