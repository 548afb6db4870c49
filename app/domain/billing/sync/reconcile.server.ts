import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.server.ts";
import { customers } from "#db/schema/billing.ts";
import type { BillingProvider } from "../providers/contract/provider.ts";
import { currentProvider } from "../providers/current-provider.server.ts";
import { withTimeout } from "../providers/timeout.ts";
import type { Change } from "../rules/sync-outcome.ts";
import { findCustomerId } from "../subscriptions/customers.server.ts";
import { enforceRules, findRefunded } from "./enforce-rules.server.ts";
import { fetchCustomer } from "./fetch-customer.server.ts";
import { fetchSubscriptions, type ProviderSnapshot, previewWrite } from "./snapshot.server.ts";
import { writeSnapshot } from "./write-snapshot.server.ts";

const JOB_TIMEOUT_MS = 20_000;

/** Like refreshCustomer, unless that ran within a day. It has a timeout, since only a few jobs run at once. */
export async function refreshStaleCustomer(userId: string): Promise<Change[] | null> {
  const [stale] = await db.execute(sql`SELECT 1 FROM customers WHERE user_id = ${userId}
    AND (reconciled_at IS NULL OR reconciled_at < now() - interval '1 day')`);
  return stale ? withTimeout(refreshCustomer(userId), JOB_TIMEOUT_MS) : null;
}

export async function refreshSubscription(id: string): Promise<Change[] | null> {
  const provider = currentProvider();
  if (provider === null) return null;
  const snapshot = await enforceRules(provider, () => fetchSubscriptions(provider, [id]));
  return db.transaction((tx) => writeSnapshot(tx, snapshot));
}

/** Null when they bought nothing from this provider. A dry run writes nothing anywhere. Throws ProviderUnreachable. */
export async function refreshCustomer(
  userId: string,
  { isDryRun } = { isDryRun: false },
): Promise<Change[] | null> {
  const provider = currentProvider();
  const customerId = provider && (await findCustomerId(userId, provider.name));
  if (provider === null || customerId === null) return null;
  const fetch = () => fetchCustomer(provider, { userId, customerId });
  if (isDryRun) return previewChanges(provider, await fetch());
  const snapshot = await enforceRules(provider, fetch);
  return db.transaction(async (tx) => {
    const changes = await writeSnapshot(tx, snapshot);
    await tx.update(customers).set({ reconciledAt: sql`now()` }).where(eq(customers.userId, userId));
    return changes;
  });
}

/** Refunded subscriptions that would be ended are "due". */
async function previewChanges(provider: BillingProvider, snapshot: ProviderSnapshot): Promise<Change[]> {
  const refunded = await findRefunded(provider, snapshot);
  const due = refunded.map((id): Change => ({ kind: "subscription", id, what: "due" }));
  return [...due, ...(await previewWrite((tx) => writeSnapshot(tx, snapshot)))];
}
